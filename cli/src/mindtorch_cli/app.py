"""The Typer app: global options, and the commands."""

from __future__ import annotations

from typing import Annotated

import typer

from .__about__ import __version__
from .lazy_group import Member, group

app = group(
    "Look into mindtorch: which kernel a call runs and why, and what memory an NPU holds.",
    {
        "check": Member(
            "mindtorch_cli.check",
            "Read programs without running them: which names of torch are missing here?",
        ),
        "dispatch": Member("mindtorch_cli.dispatch", "Which kernel runs for which key, and why."),
        "env": Member(
            "mindtorch_cli.env", "Show versions, devices and settings: what a bug report needs."
        ),
        "npu": Member("mindtorch_cli.npu", "The simulated NPU: memory, streams, plans."),
        "run": Member(
            "mindtorch_cli.run",
            'Run a script that was written for torch: "import torch" means mindtorch in it.',
        ),
    },
    completion=True,
    name="mindtorch",
)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mindtorch {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=show_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass
