"""A bot that plays every game, at random: python bot.py https://games.example.org sbt_..."""

import random
import sys
import time

from strifebarge.client import Client, Refused


def move(site: Client, table: str) -> None:
    """Answer the question at a table with anything that is accepted."""
    question = site.read("table.state", table=table)["question"]
    moves = [] if question is None else list(site.moves(question))
    for action in random.sample(moves, len(moves)):
        try:
            site.do("table.move", table=table, question_number=question["question_number"], action=action)
            return
        except Refused as no:
            print(table, action, no)


def look_round(site: Client) -> None:
    """Accept invitations, agree to play, and move wherever it is this bot's turn."""
    for invitation in site.read("lobby.invitations")["invitations"]:
        site.do("table.sit", table=invitation["table"])
    for line in site.read("lobby.mine")["tables"]:
        table = line["table"]
        if line["your_turn"]:
            move(site, table)
        elif line["status"] == "open" and not (info := site.read("table.get_info", table=table))["ready"]:
            site.do("table.ready", table=table, terms=info["terms"])


if __name__ == "__main__":
    with Client(*sys.argv[1:3]) as site:
        while True:
            look_round(site)
            time.sleep(2)
