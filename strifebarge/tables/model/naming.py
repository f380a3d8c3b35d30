"""Replace a name wherever a table says by name who has done something."""

from strifebarge.tables.model.table import Table


def replace_name(table: Table, old: str, new: str) -> None:
    """Let the table say the new name for the old one: of settings, choices, a suspension and invitations."""

    def now(name: str) -> str:
        return new if name == old else name

    table.settings.set_by = {what: now(who) for what, who in table.settings.set_by.items()}
    table.position.chosen_by = {seat: now(who) for seat, who in table.position.chosen_by.items()}
    if suspension := table.suspension:
        suspension.by = now(suspension.by)
        suspension.end = suspension.end and now(suspension.end)
        suspension.back = suspension.back and now(suspension.back)
