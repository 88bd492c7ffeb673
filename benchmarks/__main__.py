"""The command: ``python -m benchmarks [names] [--json FILE]``, ``python -m benchmarks ops``,
or ``python -m benchmarks opinfo``."""

from __future__ import annotations

import argparse
import os
import sys

ONE_THREAD = {
    name: "1"
    for name in (
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    )
}


def restart_with_one_thread() -> None:
    """BLAS libraries read these when they are loaded, which may be before any line of ours."""
    if any(os.environ.get(k) != v for k, v in ONE_THREAD.items()):
        os.environ.update(ONE_THREAD)
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]])


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["ops"]:
        from .ops import command

        return command.main(argv[1:])
    if argv[:1] == ["opinfo"]:
        from .opinfo import command as opinfo

        return opinfo.main(argv[1:])

    from .lines import LINES
    from .report import machine, render, write_json
    from .run import measure

    parser = argparse.ArgumentParser(
        prog="benchmarks",
        description=(__doc__ or "").strip(),
        epilog="ops: every op row against torch; opinfo: every operator of torch's own table of "
        "tests, whether results are alike; each says more with --help",
    )
    parser.add_argument(
        "names", nargs="*", help="lines that contain one of these, in whatever case; default: all"
    )
    parser.add_argument("--json", metavar="FILE", help="also write the results here")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each side (15)")
    parser.add_argument("--list", action="store_true", help="name the lines and stop")
    args = parser.parse_args(argv)
    if args.rounds < 1:
        parser.error("--rounds must be at least 1")
    names = [name.casefold() for name in args.names]
    unknown = [n for n in names if not any(n in line.name.casefold() for line in LINES)]
    if unknown:
        parser.error(f"no line contains {', '.join(map(repr, unknown))}; --list names them")
    chosen = [x for x in LINES if not names or any(n in x.name.casefold() for n in names)]
    if args.list:
        print("\n".join(line.name for line in chosen))
        return 0
    results = measure(chosen, rounds=args.rounds)
    facts = machine()
    render(results, facts)
    if args.json:
        write_json(args.json, results, facts)
    return 0


if __name__ == "__main__":
    restart_with_one_thread()
    sys.exit(main())
