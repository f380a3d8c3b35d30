"""Battles: three rounds by letters, hits and retreats."""

from collections.abc import Iterator

from strifebarge.rules import Action, No, Standard, count

from .actions import Fight, Fire, Hit, Retreat
from .delta import FROM, HOMES, Area, link_between
from .fleet import LETTERS, Block, Craft, League
from .reasons import Why
from .waters import Battle, Waters


class Battles(Waters):
    """Fights battles."""

    async def choose_battle(self, side: League) -> Area:
        areas = self.contested()
        if len(areas) == 1:
            return areas[0]
        fight = await self.ask(side, "Choose the battle to fight now.", map(Fight, areas))
        return fight.area

    async def fight(self, area: Area) -> None:
        """Turn up all blocks in an area and fight until the battle is over."""
        attacker = self.seats[self.attackers[area]]
        defender = self.enemy(attacker)
        self.battle = Battle(area, attacker.number)
        self.blank()
        self.heading("Battle at {area}: {seat} attacks", area=area, seat=attacker)
        fighting = [(side, block) for side in (defender, attacker) for block in side.at(area)]
        for _, block in fighting:
            self.uncover(block)
        for side, block in fighting:
            if block.craft is Craft.DECOY:
                self.eliminate_block(side, block)
        first, second = (attacker, defender) if attacker.number in self.fog else (defender, attacker)
        if not await self.battle_rounds(first, second):
            await self.fall_back(attacker)
        for side, block in fighting:
            if block.area is not None:
                self.cover(side, block)
        self.battle = None

    async def battle_rounds(self, first: League, second: League) -> bool:
        """Fight up to three rounds.  Return whether the battle was decided."""
        battle = self.fought
        for battle.round in (1, 2, 3):
            for battle.letter in LETTERS:
                for side in (first, second):
                    if self.is_decided():
                        return True
                    await self.act(side)
        return self.is_decided()

    @property
    def fought(self) -> Battle:
        """The battle that is being fought."""
        if self.battle is None:
            raise LookupError("no battle is fought")
        return self.battle

    def is_decided(self) -> bool:
        return self.fought.area not in self.contested()

    async def act(self, side: League) -> None:
        """Let a side's blocks of one letter act, in the order their owner picks."""
        battle = self.fought
        battle.acted = []
        while not self.is_decided() and (still := self.still_to_act(side)):
            options: list[Fire | Retreat] = [Fire(block.token) for block in still]
            if battle.round > 1:
                options += [way for block in still for way in self.ways_back(block)]
            able = [option for option in options if not self.refuse_in_battle(side, option)]
            values = {"round": battle.round, "letter": battle.letter, "area": battle.area}
            prompt = "Battle at {area}, round {round}: your blocks of letter {letter} act."
            action: Fire | Retreat = able[0]
            if len(able) > 1:
                action = await self.ask(side, prompt, options, **values)
            block = side.block(action.block)
            battle.acted.append(block.token)
            if isinstance(action, Retreat):
                self.retreat(side, block, action.to)
            else:
                await self.fire(side, block)

    def still_to_act(self, side: League) -> list[Block]:
        battle = self.fought
        return [
            block
            for block in side.at(battle.area)
            if block.craft.facts.letter == battle.letter and block.token not in battle.acted
        ]

    # -- fire --------------------------------------------------------------

    async def fire(self, side: League, block: Block) -> None:
        dice = [self.chance.die() for _ in range(block.strength)]
        hits = sum(die <= self.hits_on(side, block) for die in dice)
        self.fought.fired = ", ".join(map(str, dice))
        landed = count("{n} hit", "{n} hits", hits)
        self.log(
            "{seat:Your|’s} block {token} rolls {dice}: {hits}.",
            seat=side,
            token=block.token,
            dice=dice,
            hits=landed,
        )
        await self.take_hits(self.enemy(side), hits)
        if block.craft is Craft.FIRESHIP:
            self.eliminate_block(side, block)

    def hits_on(self, side: League, block: Block) -> int:
        """Return the highest die that is a hit: one more in the side's home port."""
        return block.craft.facts.hits_on + (block.area == HOMES[side.number])

    async def take_hits(self, side: League, hits: int) -> None:
        """Take hits one at a time, each from the strongest block; the owner chooses among equals."""
        battle = self.fought
        for battle.hits in range(hits, 0, -1):
            strongest = self.strongest(side, battle.area)
            if not strongest:
                break
            taken = strongest[0]
            if len(strongest) > 1:
                options = [Hit(block.token) for block in strongest]
                prompt = "Take a hit with one of your strongest blocks ({hits} to take)."
                hit = await self.ask(side, prompt, options, hits=battle.hits)
                taken = side.block(hit.block)
            self.log("{seat:Your|’s} block {token} takes a hit.", seat=side, token=taken.token)
            self.lose_step(side, taken)
        battle.hits = 0

    def strongest(self, side: League, area: Area) -> list[Block]:
        there = side.at(area)
        return [block for block in there if block.strength == max(each.strength for each in there)]

    # -- retreat -----------------------------------------------------------

    async def fall_back(self, attacker: League) -> None:
        """Make every attacking block retreat after the third round, or eliminate it."""
        battle = self.fought
        battle.letter = ""
        self.log("{seat:You} must retreat from {area}.", seat=attacker, area=battle.area)
        while there := attacker.at(battle.area):
            options = [way for block in there for way in self.ways_back(block)]
            able = [way for way in options if not self.refuse_in_battle(attacker, way)]
            if not able:
                for block in there:
                    self.eliminate_block(attacker, block)
                return
            way = able[0]
            if len(able) > 1:
                way = await self.ask(attacker, "Retreat with all blocks, one by one.", options)
            self.retreat(attacker, attacker.block(way.block), way.to)

    def retreat(self, side: League, block: Block, to: Area) -> None:
        block.area = to
        self.cover(side, block)
        self.log("{seat:Your|’s} block {token} retreats to {area}.", seat=side, token=block.token, area=to)

    def ways_back(self, block: Block) -> Iterator[Retreat]:
        if block.area:
            yield from (Retreat(block.token, link.beyond(block.area)) for link in FROM[block.area])

    def refuse_in_battle(self, side: League, action: Action) -> No:
        match action:
            case Retreat(token, to):
                area = side.block(token).area
                link = link_between(area, to) if area else None
                if link is None:
                    return Standard.NOT_OFFERED()
                if self.closed(link):
                    return Why.SLUICE_CLOSED(area=to)
                enemy = self.enemy(side)
                if enemy.at(to) or self.control.get(to) == enemy.number:
                    return Why.HELD_BY_ENEMY(area=to)
        return None
