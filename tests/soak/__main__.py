"""The command: ``python -m tests.soak [--seconds N]``."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys

from .crew import Soak
from .progress import Bar


def main(argv: list[str] | None = None) -> int:
    """Exit code 0: nothing differed and nothing is left; 1: something did or is."""
    parser = argparse.ArgumentParser(prog="soak", description=(__doc__ or "").strip())
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--threads", type=int, default=4, help="threads with graphs (4)")
    parser.add_argument("--seed", type=int, default=0, help="of all programs (0)")
    parser.add_argument("--no-oracle", action="store_true", help="without torch where there is one")
    parser.add_argument("--no-processes", action="store_true", help="share nothing")
    parser.add_argument(
        "--replay", metavar="THREAD:ROUND", help="only this program, as a failure names it"
    )
    args = parser.parse_args(argv)
    if args.seconds <= 0 or args.threads < 1:
        parser.error("--seconds and --threads must be above 0")
    oracle = importlib.util.find_spec("torch") is not None and not args.no_oracle
    soak = Soak(args.seed, args.threads, oracle=oracle, processes=not args.no_processes)
    if args.replay:
        thread, _, turn = args.replay.partition(":")
        soak.replay(int(thread), int(turn))
        return 0
    with Bar(args.seconds) as bar:
        soak.run(args.seconds, bar.show)
    print(soak.summary())
    return 1 if soak.problems else 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
