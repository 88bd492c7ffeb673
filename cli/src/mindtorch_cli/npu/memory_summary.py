"""``mindtorch npu memory-summary``: the NPU's memory at the end of a script, or here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import mindtorch as torch
import typer
from mindtorch_npu.memory import flat_stats
from mindtorch_npu.replay import replay
from mindtorch_npu.summary import render as render_table
from rich.console import RenderableType

from ..lazy_group import command
from ..render import Json, emit, examples, plain
from ..script import Arguments, CudaAsNpu, Module, TorchNpu, is_pickle, program, readable, reported
from .available import need_npu
from .replay import trace_of

app = command()


def program_or_snapshot(context: typer.Context, script: Path | None) -> Path | None:
    """A file that can be run or read: the callback of an argument."""
    if script is None or (not context.params.get("module") and is_pickle(readable(script))):
        return script
    return program(context, script)


@app.command(
    epilog=examples(
        "npu memory-summary train.py",
        "npu memory-summary train.py --device 1 -- --epochs 3",
        "npu memory-summary snap.pickle --device 1",
        "npu memory-summary --json",
    )
)
def memory_summary(
    script: Annotated[
        Path | None,
        typer.Argument(
            callback=program_or_snapshot,
            help="Run this first, in this process; or a pickle of npu snapshot or of "
            "_dump_snapshot(). Without it: the process as it is.",
        ),
    ] = None,
    arguments: Arguments = None,
    module: Module = False,
    cuda_as_npu: CudaAsNpu = False,
    torch_npu: TorchNpu = False,
    device: Annotated[
        int | None, typer.Option(help="Index of the NPU; the current one by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Print torch.npu.memory_summary() as it stands when a script has ended.

    Of a saved snapshot: its history, run through the allocator from where it begins.
    """
    if script is not None and not module and is_pickle(script):
        emit(recorded(script, device or 0), json, summary)
        return
    need_npu()
    count = torch.npu.device_count()
    if device is not None and not 0 <= device < count:
        raise typer.BadParameter(f"there are {count} NPUs, 0 to {count - 1}", param_hint="--device")

    def report(code: int) -> int:
        emit(memory(device), json, summary)
        return code

    if script is None:
        report(0)
    else:
        reported(script, arguments or [], json, report, module=module)


def memory(device: int | None) -> dict[str, Any]:
    """The summary's text and the numbers behind it."""
    index = torch.npu.current_device() if device is None else device
    torch.npu.synchronize(index)
    return {
        "device": f"npu:{index}",
        "summary": torch.npu.memory_summary(index),
        "stats": dict(torch.npu.memory_stats(index)),
    }


def recorded(snapshot: Path, device: int) -> dict[str, Any]:
    """The same of the history of a saved snapshot."""
    stats = flat_stats(replay(trace_of(snapshot, device))["stats"])
    return {
        "device": f"npu:{device}",
        "summary": render_table(stats, device),
        "stats": dict(stats),
    }


def summary(data: dict[str, Any]) -> Iterable[RenderableType]:
    """torch's own layout, 80 columns wide; never folded."""
    text = plain(data["summary"])
    text.no_wrap, text.overflow = True, "ignore"
    yield text
