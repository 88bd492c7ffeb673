"""The main job: learn handwritten digits on the simulated NPU, and show what happened.

python examples/demo.py [--device npu|cpu] [--framework mindtorch|torch] [--epochs 12] [--seed 0]
    [--at-least PERCENT]
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

# Small matrices: a second BLAS thread costs more than it gives. Must be set before numpy loads.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import digits

Progress = Callable[[int, int, float], None]


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--framework", choices=("mindtorch", "torch"), default="mindtorch")
    parser.add_argument(
        "--device",
        choices=("cpu", "npu"),
        help="default: npu, the simulator, with mindtorch; cpu with torch",
    )
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--at-least",
        type=float,
        default=0.0,
        metavar="PERCENT",
        help="exit with code 1 where the test accuracy is below",
    )
    args = parser.parse_args(argv)
    if args.epochs < 1:
        parser.error("--epochs must be at least 1")
    if args.device is None:
        args.device = "cpu" if args.framework == "torch" else "npu"
    if args.framework == "torch" and args.device == "npu":
        parser.error("--framework torch has no device npu; use --device cpu")
    return args


def framework(name: str) -> ModuleType:
    """The module that stands for torch."""
    try:
        torch = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        hint = "; `hatch run bench:demo --framework torch` has it" if name == "torch" else ""
        raise SystemExit(f"{name} is not installed here{hint}") from None
    if name == "torch":
        torch.set_num_threads(1)
    return torch


@contextlib.contextmanager
def progress_bar(epochs: int, total: int) -> Iterator[Progress]:
    """A rich progress bar; one line per epoch where rich is missing or nobody watches."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        console = None
    else:
        console = Console()
    if console is None or not console.is_terminal:
        last = -1

        def lines(epoch: int, step: int, loss: float) -> None:
            nonlocal last
            if epoch != last:
                last = epoch
                known = "" if epoch == 0 else f", loss {loss:.4f}"
                print(f"epoch {epoch + 1}/{epochs}{known}", flush=True)

        yield lines
        return
    columns = (
        TextColumn("training"),
        BarColumn(),
        TextColumn("epoch {task.fields[epoch]}/" + str(epochs)),
        TextColumn("loss {task.fields[loss]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=total, epoch=1, loss="-")

        def draw(epoch: int, step: int, loss: float) -> None:
            text = "-" if epoch == 0 else f"{loss:.4f}"
            bar.update(task, completed=step, epoch=epoch + 1, loss=text)

        yield draw


def show_path(torch: ModuleType, device: str) -> None:
    """Print which kernels ``aten::add`` went through for two of the demo's values."""
    from mindtorch_cli.calls import explain_call
    from mindtorch_cli.dispatch.explain import call_tables
    from mindtorch_cli.render import console

    ones = torch.ones(2, device=device, requires_grad=True)
    with digits.deferred(torch):
        call = explain_call("aten::add", (ones, ones))
    for part in call_tables(call):
        console().print(part)


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    torch = framework(args.framework)
    print(f"{args.framework} {torch.__version__}, device {args.device}, seed {args.seed}")
    total = args.epochs * (1437 // digits.BATCH)
    with progress_bar(args.epochs, total) as progress:
        result = digits.train(
            torch, device=args.device, epochs=args.epochs, seed=args.seed, progress=progress
        )
    print(f"loss           {', '.join(f'{loss:.4f}' for loss in result.losses)}")
    print(f"test accuracy  {result.accuracy:.2%}")
    print(f"time per step  {result.step_ms:.2f} ms ({result.steps} steps, {result.seconds:.1f} s)")
    if args.device == "npu":
        print(torch.npu.memory_summary())
    if args.framework == "mindtorch":
        show_path(torch, args.device)
    if 100 * result.accuracy < args.at_least:
        print(f"the accuracy is below {args.at_least:g} %", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
