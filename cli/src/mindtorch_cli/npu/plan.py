"""``mindtorch npu plan``: whether a script fits a device, before there is one."""

from __future__ import annotations

import json as json_module
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from mindtorch_npu.device_profiles import PROFILES, profile
from mindtorch_npu.replay import settings as checked_settings
from mindtorch_npu.simulator import parse_size
from mindtorch_npu.snapshot_files import load_snapshot
from mindtorch_storage import Device
from rich.console import RenderableType

from ..child_processes import child, ended_with, pass_on, passed_on
from ..lazy_group import command
from ..render import ASIDE, BAD, GOOD, Json, emit, examples, facts, plain, shown_place
from ..script import (
    INTERRUPT,
    INTERRUPTED,
    PATIENCE,
    Arguments,
    CudaAsNpu,
    Module,
    Script,
    TorchNpu,
    refused_by,
    writable,
)
from .memory_page import save_page
from .ranks import PER_NODE, fullest, imagined, overview
from .ranks import each as in_turn
from .sizes import bars, holders, size

app = command()

#: Settings that say which devices there are here, and how large.
_OF_THIS_MACHINE = ("ASCEND_RT_VISIBLE_DEVICES", "MINDTORCH_NPU_MEMORY")


@app.command(
    epilog=examples(
        "npu plan train.py --device 910B-64GB --devices 8",
        "npu plan train.py --device A100-80GB --snapshot plan.pickle -- --batch 16",
        "npu plan train.py --memory 24GiB --timeline memory.html",
        "npu plan train.py --ranks 8 --all-ranks",
    )
)
def plan(
    script: Script,
    arguments: Arguments = None,
    module: Module = False,
    cuda_as_npu: CudaAsNpu = False,
    torch_npu: TorchNpu = False,
    device: Annotated[
        str, typer.Option(help="The device: " + ", ".join(row.name for row in PROFILES) + ".")
    ] = "910B-64GB",
    devices: Annotated[
        int,
        typer.Option(
            min=1,
            max=128,
            metavar="N",
            help="How many the script sees; it must spread its work by itself.",
        ),
    ] = 1,
    ranks: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="The script is one of N processes, as torchrun starts them; only it is run.",
        ),
    ] = 0,
    rank: Annotated[
        int | None, typer.Option(min=0, metavar="R", help="Which of them is planned (0).")
    ] = None,
    all_ranks: Annotated[
        bool, typer.Option("--all-ranks", help="Plan all of them, one after the other.")
    ] = False,
    ranks_per_node: Annotated[
        int, typer.Option(min=1, max=128, metavar="N", help="How many of them one machine has.")
    ] = PER_NODE,
    memory: Annotated[
        str,
        typer.Option(
            help="Memory of each in place of the device's own, as 48GiB; 48GB means the same."
        ),
    ] = "",
    settings: Annotated[
        str, typer.Option(help="Allocator settings, as in PYTORCH_ALLOC_CONF.")
    ] = "",
    default_device: Annotated[
        str,
        typer.Option(help="Device of tensors that are made without one, as npu; else the host."),
    ] = "",
    snapshot: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            callback=writable,
            help="Keep the memory history here, for replay and timeline.",
        ),
    ] = None,
    timeline: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            callback=writable,
            help="Draw the memory over time here, as one page (see npu timeline).",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Run a script without computing: does its memory fit the device, and who holds it?

    Kernels only infer and memory is only booked, so the model may be far larger than this machine.
    Every number that the script reads from the device is 0, and tensors of 1 MiB and more are not
    filled on the host either. With --ranks the groups of torch.distributed have that many
    processes, of which one runs: nobody is waited for, and what others would send is not right
    either. The exit code is 1 where it does not fit, else the script's.
    """
    _check_ranks(ranks, rank, all_ranks, snapshot or timeline)
    with refused_by("--device"):
        profile(device)
    with refused_by("--memory"):
        parse_size(memory or "1GiB")
    with refused_by("--default-device"):
        Device(default_device or "cpu")
    with refused_by("--settings"), checked_settings(settings):
        pass
    environment = {
        "MINDTORCH_NPU_DRIVER": "simulator",
        "MINDTORCH_NPU_MODE": "dry",
        "MINDTORCH_NPU_DEVICE": device,
        "MINDTORCH_NPU_DEVICES": str(devices),
    }
    if memory:
        environment["MINDTORCH_NPU_MEMORY"] = memory
    if settings:
        environment["MINDTORCH_NPU_ALLOC_CONF"] = settings

    def planned(number: int) -> dict[str, Any]:
        """The report of one process."""
        own = environment
        if ranks:
            per_node = min(ranks, ranks_per_node)
            own = environment | imagined(number, ranks, per_node)
            own["MINDTORCH_NPU_DEVICES"] = str(max(devices, per_node))
        with tempfile.TemporaryDirectory() as folder:
            kept = snapshot or (Path(folder) / "snapshot.pickle" if timeline else None)
            found, code = dry_run(
                script,
                arguments or [],
                own,
                kept,
                default_device=default_device,
                module=module,
                as_json=json,
            )
            if timeline is not None and kept is not None:
                save_page(load_snapshot(kept), timeline, f"plan of {script.name} on {device}")
        found["exit_code"] = code
        if ranks:
            found |= {"rank": number, "world_size": ranks}
        for each in found["devices"]:
            each["basis"] = "given" if memory else profile(device).basis
        return found

    if all_ranks:
        plans = [planned(number) for number in in_turn(ranks)]
        codes = [plan["exit_code"] for plan in plans]
        ended = next(filter(None, codes), 0)
        emit({"world_size": ranks, "exit_code": ended, "ranks": plans}, json, report_of_all)
    else:
        plans = [planned(rank or 0)]
        ended = plans[0]["exit_code"]
        emit(plans[0], json, report)
    if any(found["error"] or not all(d["fits"] for d in found["devices"]) for found in plans):
        raise typer.Exit(ended or 1)
    if ended:
        raise typer.Exit(ended)


def _check_ranks(ranks: int, rank: int | None, all_ranks: bool, kept: Path | None) -> None:
    """Refuse what does not go together."""
    if not ranks and (rank is not None or all_ranks):
        given = "--all-ranks" if rank is None else "--rank"
        raise typer.BadParameter("how many there are is said by --ranks", param_hint=given)
    if rank is not None and all_ranks:
        raise typer.BadParameter("all ranks are planned already", param_hint="--rank")
    if rank is not None and rank >= ranks:
        raise typer.BadParameter(f"of {ranks} ranks the last is {ranks - 1}", param_hint="--rank")
    if all_ranks and kept is not None:
        raise typer.BadParameter(
            "a snapshot or timeline is of one rank: choose it by --rank", param_hint="--all-ranks"
        )


def dry_run(
    script: Path,
    arguments: list[str],
    environment: dict[str, str],
    snapshot: Path | None,
    *,
    default_device: str,
    module: bool,
    as_json: bool,
) -> tuple[dict[str, Any], int]:
    """The report of :mod:`.dry_run`, and how it ended; the mode is fixed at import."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        words = [str(script), str(path), str(snapshot or ""), default_device]
        words += ["module" if module else "", *arguments]
        with (
            child(
                [sys.executable, "-m", "mindtorch_cli.npu.dry_run", *words],
                env={k: v for k, v in os.environ.items() if k not in _OF_THIS_MACHINE}
                | environment,
                stdout=subprocess.PIPE if as_json else None,
            ) as process,
            passed_on(process.stdout, partial(pass_on, to=sys.stderr)),
        ):
            try:
                process.wait()
            except KeyboardInterrupt:
                interrupted(process)
        if not path.exists():
            code = ended_with(process.returncode) or 1
            print(f"{script} ended with code {code} and could not be looked at", file=sys.stderr)
            raise typer.Exit(code)
        found: dict[str, Any] = json_module.loads(path.read_text("utf-8"))
        return found, ended_with(process.returncode)


def interrupted(process: subprocess.Popen[bytes]) -> None:
    """Wait for the child's report after Ctrl-C, of which a terminal tells it too."""
    for patience in (0.5, PATIENCE):
        try:
            process.wait(patience)
            return
        except subprocess.TimeoutExpired:
            process.send_signal(INTERRUPT)
    raise typer.Exit(INTERRUPTED)


def report_of_all(found: dict[str, Any]) -> Iterable[RenderableType]:
    """All ranks in a table, and the whole report of that which needs most."""
    yield from overview(found["ranks"])
    yield from report(fullest(found["ranks"]))


def report(found: dict[str, Any]) -> Iterable[RenderableType]:
    """A verdict, and per device the peak and the lines behind it."""
    if "rank" in found:
        yield plain(f"rank {found['rank']} of {found['world_size']}")
    for each in found["devices"]:
        fits = each["fits"]
        allowed = int(each["total_bytes"] * each["memory_fraction"])
        room = min(each["total_bytes"] - each["context_bytes"], allowed) - each["peak_reserved"]
        so_far = " as far as the script ran" if found["exit_code"] else ""
        verdict = f"fits{so_far}, {size(room)} to spare" if fits else "does NOT fit"
        yield plain(f"npu:{each['device']}  {each['name']}: {verdict}", GOOD if fits else BAD)
        rows = [
            (f"total memory ({each['basis']})", size(each["total_bytes"])),
            ("taken by the context (estimate)", size(each["context_bytes"])),
            ("peak allocated", size(each["peak_allocated"])),
            ("peak reserved", size(each["peak_reserved"])),
        ]
        if allowed < each["total_bytes"]:
            rows.insert(2, ("allowed by its memory fraction", size(allowed)))
        yield facts(rows)
        yield plain(f"  held over time  {bars(each['timeline'])}")
        trouble = each["out_of_memory"]
        if trouble is not None:
            line = shown_place(trouble["line"])
            yield plain(f"  no room for {size(trouble['asked_bytes'])} at {line}", BAD)
        if not fits and not found["error"]:
            count = each["refused"]
            requests = "1 request was" if count == 1 else f"{count} requests were"
            yield plain(f"  {requests} refused, and the script went on")
        when = "when memory ran out" if trouble else "at the peak"
        if each["holders"]:
            yield holders(each["holders"], f"Who held memory {when}")
    if not found["devices"] and not found["exit_code"]:
        yield plain(
            "no memory of a device was used: --default-device npu plans for a script of the host"
        )
    if not found["recorded"]:
        lost = "the script ended the recording of the history: who held memory is not known"
        yield plain(lost, BAD)
    if found["devices"] and found["unused"] and "rank" not in found:  # each rank has its own
        yield plain("not used: " + ", ".join(f"npu:{i}" for i in found["unused"]), "dim")
    if found["error"] and "OutOfMemoryError" not in found["error"]:
        yield plain(found["error"], BAD)
        if "invalid device ordinal" in found["error"]:
            count = len(found["unused"]) + len(found["devices"])
            yield plain(f"the script saw {count} of these devices: --devices gives it more", ASIDE)
    yield plain(f"{found['seconds']:.1f} s, nothing was computed", "dim")
