"""``python -m torch.distributed.launch``: ``torchrun`` as it was."""

from __future__ import annotations

from typing import Any

from ..core.warning import warn
from .run import get_args_parser, run

__all__ = ["main", "parse_args"]


def parse_args(args: Any) -> Any:
    """The arguments of a command line."""
    parser = get_args_parser()
    parser.add_argument("--use-env", "--use_env", action="store_true", default=False)
    return parser.parse_args(args)


def main(args: Any = None) -> None:
    """Run the program, which gets ``--local-rank`` unless ``--use-env`` is given."""
    warn(
        "The module torch.distributed.launch is deprecated\nand will be removed in future. Use "
        "torchrun.\nNote that --use-env is set by default in torchrun.\nIf your script expects "
        "`--local-rank` argument to be set, please\nchange it to read from "
        "`os.environ['LOCAL_RANK']` instead. See \n"
        "https://pytorch.org/docs/stable/distributed.html#launch-utility for \nfurther "
        "instructions\n",
        FutureWarning,
    )
    run(parse_args(args))


if __name__ == "__main__":
    main()
