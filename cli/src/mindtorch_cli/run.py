"""``mindtorch run``: a program that was written for torch, unchanged."""

from __future__ import annotations

from typing import Annotated

import typer
from mindtorch.__main__ import run as become
from mindtorch.compat.import_alias import environment
from mindtorch.core.mpiexec import launched

from .lazy_group import command
from .render import examples
from .script import CudaAsNpu, Module, TorchNpu

app = command()

_LAUNCHER = ("-m", "torch.distributed.run")


@app.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog=examples(
        "run train.py --epochs 3",
        "run -m pytest tests",
        "run --cuda-as-npu train.py",
        "run --nproc 4 train.py",
    ),
)
def run(
    script: Annotated[str, typer.Argument(help="A Python script.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Arguments of the script, as they are.")
    ] = None,
    module: Module = False,
    cuda_as_npu: CudaAsNpu = False,
    torch_npu: TorchNpu = False,
    nproc: Annotated[
        int,
        typer.Option(
            "--nproc",
            "--nproc-per-node",
            min=1,
            help="Start this many processes of the script, as torchrun does. They are one group, "
            "which MPI connects: needs mindtorch's extra 'distributed'.",
        ),
    ] = 1,
) -> None:
    """Run a script that was written for torch: "import torch" means mindtorch in it.

    The script gets an interpreter of its own, so what it prints, raises and exits with is what
    "python SCRIPT" would give. Processes that it starts find mindtorch as torch as well. Names of
    torch that are missing here are listed by "mindtorch check SCRIPT".

    Processes of --nproc, and those of "mpiexec -n 4 mindtorch run SCRIPT", find their ranks in
    RANK, WORLD_SIZE, LOCAL_RANK and so on; init_process_group() needs no more. For several hosts
    see "mindtorch run -m torch.distributed.run --help".
    """
    words = [*(["-m"] if module else []), script, *(arguments or [])]
    if nproc > 1:
        words = [*_LAUNCHER, "--standalone", "--nproc-per-node", str(nproc), *words]
    elif launched() > 1:
        words = [*_LAUNCHER, *words]
    become(words, environment())
