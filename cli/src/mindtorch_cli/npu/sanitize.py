"""``mindtorch npu sanitize``: races between streams in a script."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch.utils.memory_sanitizer import sanitized
from rich.console import RenderableType

from ..lazy_group import command
from ..render import ASIDE, BAD, GOOD, Json, emit, examples, plain, shown_place
from ..script import Arguments, CudaAsNpu, Module, Script, TorchNpu, reported
from .available import need_npu
from .sizes import size

app = command()


@app.command(epilog=examples("npu sanitize train.py", "npu sanitize train.py --json -- --steps 3"))
def sanitize(
    script: Script,
    arguments: Arguments = None,
    module: Module = False,
    cuda_as_npu: CudaAsNpu = False,
    torch_npu: TorchNpu = False,
    json: Json = False,
) -> None:
    """Run a script and report races between streams, with the lines of both sides.

    A tensor that is written on one stream and used on another without an event or a wait between;
    memory that is freed while another stream still uses it; pinned memory that the host uses while
    a non_blocking copy may still run. A race is found whether or not it happened in this run. The
    exit code is 1 where there is one, else the script's.
    """
    need_npu()
    kept: list[Any] = []  # what dies with the script is no race
    with sanitized() as races:

        def tell(code: int) -> int:
            shown = [race.shown() for race in races.found]
            emit({"races": shown, "exit_code": code}, json, report)
            return code or bool(races.found)

        reported(script, arguments or [], json, tell, module=module, keep=kept)


def remedy(race: dict[str, Any]) -> str:
    """What would order the two sides."""
    if race["kind"] == "freed":
        return "tensor.record_stream(stream) before the free, or wait for that stream"
    if race["second"]["stream"] == "the host":
        return "synchronize an event or the stream after the first and before the second"
    return "record an event after the first and wait for it before the second"


def report(found: dict[str, Any]) -> Iterable[RenderableType]:
    """Both sides of each race, and what would order them."""
    for race in found["races"]:
        freed = race["kind"] == "freed"
        what = "freed while another stream uses it" if freed else "data race between streams"
        yield plain(f"{what}: {size(race['bytes'])} at {race['address']}", BAD)
        for side in ("first", "second"):
            each = race[side]
            yield plain(f"  {each['access']:5} by {each['op']} on {each['stream']}")
            yield plain(f"        {shown_place(each['line'])}")
        yield plain(f"  {remedy(race)}", ASIDE)
    count = len(found["races"])
    until = " until the script ended with code {exit_code}".format_map(found)
    none = "no races between streams" + (until if found["exit_code"] else "")
    yield plain(f"{count} found" if count else none, BAD if count else GOOD)
