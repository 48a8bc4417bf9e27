"""The command `keying`: take the scores of a printed packet from a CSV file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options


@click.command(epilog="Example: grader-app keying k7m2p9xw4qr scores.csv --pass 1 --as pat")
@click.argument("packet")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--pass", "keying", type=click.Choice(["1", "2"]), required=True, help="First or second keying."
)
@click.option("--alone", is_flag=True, help="Nobody else can key a second time; the record will say so.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def keying(
    packet: str, file: Path, keying: str, alone: bool, as_json: bool, workspace: Path, actor_name: str
) -> None:
    """Take the scores of a printed packet from a CSV file, as a first or second keying.

    Columns: paper (the id), letter (the check letter behind it), then score, code, errors, gaps, points,
    note, and the id of each criterion, so far as the score sheet has them. Empty rows are passed over.
    PACKET is the id on the packet's cover. Two people key it: say who with --as NAME, both times.
    """
    from grader_app.files.keyed_rows import read_keyed_rows
    from grader_app.workflow.paper_scores import key_scores, sheet_of_packet
    from grader_app.workflow.printed_packets import find_out_packet
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    sheet = sheet_of_packet(bench, find_out_packet(bench, packet))
    rows = read_keyed_rows(file, sheet.fields)
    actor = bench.cli_actor(actor_name)
    # The same file for the same pass is the same keying, however often it is sent.
    token = f"cli:{actor}:{packet}:{keying}"
    done = key_scores(bench, actor, packet, int(keying), rows, token=token, alone=alone)
    if as_json:
        click.echo(json.dumps({"kept": done.kept, "graded": done.graded, "differ": done.differ}))
        return
    click.echo(f"{done.kept} rows recorded as keying {keying} of packet {packet}.")
    if keying == "2":
        click.echo(
            f"Same as the first keying, and now grades: {done.graded}. Keyed differently: {done.differ}."
        )
    if done.differ:
        click.echo("Settle what differs on the page Keying, with the sheet in hand.")
