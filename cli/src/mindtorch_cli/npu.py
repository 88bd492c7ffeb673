"""``mindtorch npu``: what the memory of an NPU looks like, at the end of a script or here."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .render import Json, emit, examples, plain

if TYPE_CHECKING:
    from rich.console import RenderableType

app = typer.Typer(
    help="The simulated NPU: its memory.", no_args_is_help=True, rich_markup_mode="rich"
)


@app.callback()
def group() -> None:
    pass


@app.command(
    "memory-summary",
    epilog=examples(
        "npu memory-summary train.py",
        "npu memory-summary train.py --device 1 -- --epochs 3",
        "npu memory-summary --json",
    ),
)
def memory_summary(
    script: Annotated[
        Path | None,
        typer.Argument(
            exists=True,
            dir_okay=False,
            readable=True,
            help="Run this first, in this process. Without it: the process as it is.",
        ),
    ] = None,
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Arguments of the script, after --.")
    ] = None,
    device: Annotated[
        int | None, typer.Option(help="Index of the NPU; the current one by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Print torch.npu.memory_summary() as it stands when a script has ended."""
    import mindtorch as torch

    count = torch.npu.device_count()
    if device is not None and not 0 <= device < count:
        raise typer.BadParameter(f"there are {count} NPUs, 0 to {count - 1}", param_hint="--device")
    # With --json the script's own output goes to stderr: stdout is one JSON document.
    with contextlib.redirect_stdout(sys.stderr) if json else contextlib.nullcontext():
        code = run(script, arguments or []) if script else 0
    emit(memory(torch, device), json, summary)
    if code:
        raise typer.Exit(code)


def run(script: Path, arguments: list[str]) -> int:
    """Run *script* as ``python script`` would; its exit code. Its exceptions pass through."""
    import runpy

    with arguments_of(script, arguments):
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as stop:
            if stop.code is None or isinstance(stop.code, int):
                return stop.code or 0
            print(stop.code, file=sys.stderr)
            return 1
    return 0


@contextlib.contextmanager
def arguments_of(script: Path, arguments: list[str]) -> Iterator[None]:
    """``sys.argv`` and the first entry of ``sys.path`` as *script* expects them."""
    argv, path = sys.argv, sys.path[:]
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.resolve().parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = argv, path


def memory(torch: Any, device: int | None) -> dict[str, Any]:
    """The summary's text and the numbers behind it."""
    index = torch.npu.current_device() if device is None else device
    torch.npu.synchronize(index)
    return {
        "device": f"npu:{index}",
        "summary": torch.npu.memory_summary(index),
        "stats": dict(torch.npu.memory_stats(index)),
    }


def summary(data: dict[str, Any]) -> Iterable[RenderableType]:
    """torch's own layout, 80 columns wide; never folded."""
    text = plain(data["summary"])
    text.no_wrap, text.overflow = True, "ignore"
    yield text
