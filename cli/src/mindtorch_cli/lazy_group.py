"""Groups of commands whose modules are imported when a command runs, not to show the help.

A group knows of each command its name, its module and its line in the help. So command modules
import what they need at their top, numpy included, and ``mindtorch --help`` stays fast. A test
keeps the lines equal to the commands' own.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["Member", "group"]

#: What options let mindtorch read from the environment, once, when it is imported.
_VARIABLES: Final = {"--cuda-as-npu": "MINDTORCH_CUDA_AS_NPU", "--torch-npu": "MINDTORCH_TORCH_NPU"}
#: Typer shows no other name of it, and has click within itself or beside it.
_UsageError: Any = typer.BadParameter.__base__


class Member(NamedTuple):
    """A command or group that is imported later."""

    #: Module with the Typer ``app`` of the command.
    module: str
    #: First line of its help.
    help: str


def readable() -> None:
    """Let help be read on light backgrounds too: typer's yellow cannot."""
    from typer import rich_utils  # imports rich, which only help and errors need

    for name, style in list(vars(rich_utils).items()):
        if name.startswith("STYLE_") and isinstance(style, str) and "yellow" in style:
            setattr(rich_utils, name, style.replace("yellow", "magenta"))


class Command(TyperCommand):
    """A command whose help is readable on any background."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a call; one that may be meant for a script is told how to get there."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            unknown = getattr(error, "option_name", "")
            if unknown and any(each.name == "arguments" for each in self.params):
                error.message += "; what is meant for the script follows --."
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, its paragraphs as wide as the terminal and not as the source."""
        readable()
        if self.help:
            paragraphs = inspect.cleandoc(self.help).split("\n\n")
            self.help = "\n\n".join(part.replace("\n", " ") for part in paragraphs)
        super().format_help(ctx, formatter)


class LazyGroup(TyperGroup):
    """A group that imports a member when it is called."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        readable()
        super().format_help(ctx, formatter)

    members: ClassVar[Mapping[str, Member]] = {}

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        for name, member in self.members.items():
            self.commands[name] = TyperCommand(name, help=member.help)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error is shown as readable as the help."""
        try:
            return super().invoke(ctx)
        except Exception:
            readable()
            raise

    def load(self, name: str) -> Any:
        """The real command *name*, in place of the entry for the help."""
        command = typer.main.get_command(import_module(self.members[name].module).app)
        command.name = name
        self.commands[name] = command
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called."""
        if args and args[0] in self.members:
            # The command imports mindtorch.
            for option in args[: args.index("--") if "--" in args else None]:
                if option in _VARIABLES:
                    os.environ[_VARIABLES[option]] = "1"
            self.load(args[0])
        return super().resolve_command(ctx, args)


def group(
    help: str, members: Mapping[str, Member], *, completion: bool = False, **settings: Any
) -> typer.Typer:
    """A Typer app of lazy *members*; the outermost one installs the shell's completion."""
    return typer.Typer(
        cls=type("Group", (LazyGroup,), {"members": members}),
        help=help,
        no_args_is_help=True,
        add_completion=completion,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **settings,
    )


def command() -> typer.Typer:
    """A Typer app for one command."""
    app = typer.Typer(
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command = partial(app.command, cls=Command)  # type: ignore[method-assign]  # the class is no setting of an app
    return app
