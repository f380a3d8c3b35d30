"""The command that checks the installation."""

import sys

import click
import msgspec

from strifebarge.cli.needs import load_settings
from strifebarge.cli.tables import as_json_option

MARKS = {"ok": "ok   ", "wrong": "WRONG", "off": "-    "}


@click.command("doctor")
@as_json_option
def examine_site(as_json: bool) -> None:
    """Check the installation: try each thing that the site needs, and say in a sentence how it is.

    Run it as the site's user, with its settings, while the site runs.  The exit code is 1 if anything is
    wrong.  It sends nothing.
    """
    from strifebarge.cli.checks import examine

    findings = []
    for finding in examine(load_settings()):
        findings.append(finding)
        if not as_json:
            click.echo(f"{MARKS[finding.state]}  {finding.check}: {finding.sentence}")
    if as_json:
        click.echo(msgspec.json.encode([each._asdict() for each in findings]))
    if any(each.state == "wrong" for each in findings):
        sys.exit(1)
