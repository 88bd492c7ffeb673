"""The Typer app: global options, and one sub-app per command group."""

from __future__ import annotations

from typing import Annotated

import typer

from . import dispatch, env, npu
from .__about__ import __version__
from .render import Json, emit, examples

app = typer.Typer(
    name="mindtorch",
    help="Look into mindtorch: which kernel a call runs and why, and what memory an NPU holds.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(dispatch.app, name="dispatch")
app.add_typer(npu.app, name="npu")


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


@app.command("env", epilog=examples("env", "env --json"))
def show_env(json: Json = False) -> None:
    """Show versions, devices and settings: what a bug report needs."""
    emit(env.environment(), json, env.tables)
