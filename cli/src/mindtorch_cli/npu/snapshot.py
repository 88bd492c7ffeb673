"""``mindtorch npu snapshot``: a script's memory history, as PyTorch's viewer reads it."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import mindtorch as torch
import typer
from mindtorch_npu.timeline import Recording, record_lanes
from rich.console import RenderableType

from ..lazy_group import command
from ..render import BAD, Json, emit, examples, facts, plain
from ..script import Arguments, CudaAsNpu, Module, Script, TorchNpu, reported, show, writable
from .available import need_npu
from .stacks import of_the_script

app = command()


@app.command(epilog=examples("npu snapshot train.py -o snap.pickle -- --epochs 1"))
def snapshot(
    script: Script,
    arguments: Arguments = None,
    module: Module = False,
    cuda_as_npu: CudaAsNpu = False,
    torch_npu: TorchNpu = False,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", dir_okay=False, callback=writable, help="Where to write it."
        ),
    ] = Path("snapshot.pickle"),
    max_entries: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Keep so many events of each device, the last ones."),
    ] = 1_000_000,
    json: Json = False,
) -> None:
    """Run a script and write its memory history and what its streams ran.

    The file is a pickle that https://pytorch.org/memory_viz reads, and npu timeline, replay and
    tune. It is written also when the script fails.
    """
    need_npu()
    place = output.absolute()  # the script may go elsewhere
    torch.npu.memory._record_memory_history(max_entries=max_entries, clear_history=True)
    lanes = Recording(max_entries)
    record_lanes(lanes)
    kept: list[Any] = []  # what the script holds at its end is to be seen

    def tell(code: int) -> int:
        code = finish() or code
        record_lanes(None)
        found = of_the_script(torch.npu.memory._snapshot()) | {"stream_lanes": lanes.spans()}
        place.write_bytes(pickle.dumps(found))
        emit(describe(output, found), json, report)
        return code

    try:
        reported(script, arguments or [], json, tell, module=module, keep=kept)
    finally:
        record_lanes(None)


def finish() -> int:
    """Wait for what a script left in its streams; 1, and the error, where a kernel of it failed."""
    try:
        for device in range(torch.npu.device_count()):
            torch.npu.synchronize(device)
    except Exception as error:
        show(error)
        return 1
    return 0


def describe(path: Path, found: Mapping[str, Any]) -> dict[str, Any]:
    """What is in the file: a snapshot, with the lanes under a key that torch's viewer ignores."""
    return {
        "file": str(path),
        "segments": len(found["segments"]),
        "events": sum(len(trace) for trace in found["device_traces"]),
        "kernels": len(found["stream_lanes"]),
        "recorded": torch._C._npu_isHistoryEnabled(),
    }


def report(data: dict[str, Any]) -> Iterable[RenderableType]:
    """One line for each."""
    yield facts((name, data[name]) for name in ("file", "segments", "events", "kernels"))
    if not data["recorded"]:
        yield plain("the script ended the recording, and with it lost what was recorded", BAD)
