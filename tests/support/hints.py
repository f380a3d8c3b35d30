"""Hints that are thought out in this process, by no clock."""

from typing import Any

from strifebarge.bots.player.hints import Hints
from strifebarge.bots.player.task import Answer, BotTask
from strifebarge.bots.search.thinking import Level, think
from strifebarge.rules.notation import write

LITTLE = Level(1, 4)  # so that it costs a test little


class Here:
    """A thinker that is this process."""

    def think(self, task: BotTask) -> Answer:
        """Choose as a thinking process does, but for what programs of others play."""
        return Answer(move=write(think(task.sighting.sighting(), LITTLE, task.seed).action))

    def end(self) -> str:
        return "never"


def give_hints(app: Any) -> None:
    """Let a site give hints."""
    app.extensions["hints"] = Hints(app.extensions["referee"], thinker=Here())  # type: ignore[arg-type]
