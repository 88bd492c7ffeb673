"""``torchrun``: starts a program as the processes of a group; a group of one in this process."""

from __future__ import annotations

import os
import runpy
import sys
from argparse import REMAINDER, ArgumentParser
from typing import Any

from .. import cuda, npu, xpu
from ..core.mpiexec import launched
from ..utils.own_device import device_name
from ._c10d.mpi_world import launched_variables, leave
from .argparse_util import check_env, env
from .elastic.multiprocessing.errors import record
from .launcher.agent import Agent, Program
from .launcher.api import LaunchConfig, single, single_here
from .launcher.logs import Logs
from .launcher.places import meeting

__all__ = [
    "config_from_args",
    "determine_local_world_size",
    "get_args_parser",
    "main",
    "parse_args",
    "run",
]


def get_args_parser() -> ArgumentParser:
    """The arguments of ``torchrun``."""
    parser = ArgumentParser(
        prog="torchrun", description="Torch Distributed Elastic Training Launcher"
    )
    add = parser.add_argument
    add("--nnodes", action=env, type=str, default="1:1", help="Number of nodes, or MIN:MAX.")
    add("--nproc-per-node", "--nproc_per_node", action=env, type=str, default="1")
    add("--rdzv-backend", "--rdzv_backend", action=env, type=str, default="static")
    add("--rdzv-endpoint", "--rdzv_endpoint", action=env, type=str, default="")
    add("--rdzv-id", "--rdzv_id", action=env, type=str, default="none")
    add("--rdzv-conf", "--rdzv_conf", action=env, type=str, default="")
    add("--standalone", action=check_env)
    add("--max-restarts", "--max_restarts", action=env, type=int, default=0)
    add("--monitor-interval", "--monitor_interval", action=env, type=float, default=0.1)
    add("--start-method", "--start_method", action=env, type=str, default="spawn")
    add("--role", action=env, type=str, default="default")
    add("-m", "--module", action=check_env)
    add("--no-python", "--no_python", action=check_env)
    add("--run-path", "--run_path", action=check_env)
    add("--log-dir", "--log_dir", action=env, type=str, default=None)
    add("-r", "--redirects", action=env, type=str, default="0")
    add("-t", "--tee", action=env, type=str, default="0")
    add("--local-ranks-filter", "--local_ranks_filter", action=env, type=str, default="")
    add("--node-rank", "--node_rank", type=int, action=env, default=0)
    add("--master-addr", "--master_addr", default="127.0.0.1", type=str, action=env)
    add("--master-port", "--master_port", default=29500, type=int, action=env)
    add("--local-addr", "--local_addr", default=None, type=str, action=env)
    add("training_script", type=str, help="The program.")
    add("training_script_args", nargs=REMAINDER)
    return parser


def parse_args(args: Any) -> Any:
    """The arguments of a command line."""
    return get_args_parser().parse_args(args)


#: What a process a device can be asked for with.
_DEVICES = {"gpu": (cuda, "Cuda"), device_name(): (npu, device_name()), "xpu": (xpu, "Xpu")}


def determine_local_world_size(nproc_per_node: str) -> int:
    """How many processes *nproc_per_node* means on this host."""
    try:
        return int(nproc_per_node)
    except ValueError as e:
        if nproc_per_node == "cpu":
            return os.cpu_count() or 1
        if nproc_per_node in _DEVICES:
            space, name = _DEVICES[nproc_per_node]
            if not space.is_available():
                raise ValueError(f"{name} is not available.") from e
            return space.device_count()
        if nproc_per_node == "auto":
            return 1
        raise ValueError(f"Unsupported nproc_per_node value: {nproc_per_node}") from e


def _endpoint(args: Any) -> str:
    """Where processes, or hosts, find each other."""
    if args.standalone:
        return ""
    return args.rdzv_endpoint or f"{args.master_addr}:{args.master_port}"


def parse_min_max_nnodes(nnodes: str) -> tuple[int, int]:
    """The least and the greatest number of nodes, of ``"MIN:MAX"`` or one number."""
    numbers = nnodes.split(":")
    if len(numbers) > 2:
        raise RuntimeError(f'nnodes={nnodes} is not in "MIN:MAX" format')
    return int(numbers[0]), int(numbers[-1])


def config_from_args(args: Any) -> Any:
    """The settings of a launch, the program and its arguments."""
    least, most = parse_min_max_nnodes(str(args.nnodes))
    config = LaunchConfig(
        min_nodes=least,
        max_nodes=most,
        nproc_per_node=determine_local_world_size(args.nproc_per_node),
        run_id=args.rdzv_id,
        role=args.role,
        rdzv_endpoint=_endpoint(args),
        rdzv_backend=args.rdzv_backend,
        rdzv_configs={"rank": args.node_rank},
        max_restarts=args.max_restarts,
        monitor_interval=args.monitor_interval,
        start_method=args.start_method,
        local_addr=args.local_addr,
        logs_specs=Logs(args.log_dir, args.redirects, args.tee, args.local_ranks_filter),
    )
    return config, args.training_script, args.training_script_args


def _alone(args: Any) -> dict[str, str]:
    """What the program finds in its environment that is a group of one, or one of mpiexec's."""
    if launched() > 1:
        return launched_variables()
    if args.standalone:
        return single_here(args.role, args.max_restarts)
    return single(args.role, args.max_restarts, args.master_addr, args.master_port, args.rdzv_id)


def _words(args: Any, local_rank: int) -> list[str]:
    """The command line of one of several processes."""
    program, rest = args.training_script, list(args.training_script_args)
    if getattr(args, "use_env", True) is False:
        rest.insert(0, f"--local-rank={local_rank}")
    if args.no_python:
        return [program, *rest]
    return [sys.executable, "-u", *(["-m"] if args.module else []), program, *rest]


def run(args: Any) -> None:
    """Run the program: in processes of its own, or in this one where it is the only one.

    Where ``mpiexec`` has started this process with others, it is one of the group already.

    Raises ChildFailedError, which says how the processes ended, when one of them has failed.
    """
    config, program, rest = config_from_args(args)
    if config.nproc_per_node * config.max_nodes > 1:
        with meeting(config) as place:
            entrypoint = Program(program, lambda local_rank: _words(args, local_rank))
            Agent(place, config, entrypoint, rest).run()
        return
    os.environ.update(_alone(args))
    if args.no_python:
        os.execvp(program, [program, *rest])
    if getattr(args, "use_env", True) is False:
        rest = [f"--local-rank={os.environ['LOCAL_RANK']}", *rest]
    sys.argv = [program, *rest]
    try:
        if args.module:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
            runpy.run_path(program, run_name="__main__")
    except SystemExit as e:
        if e.code:
            leave()
        raise


@record
def main(args: Any = None) -> None:
    """What ``torchrun`` does."""
    run(parse_args(args))


if __name__ == "__main__":
    main()
