"""``python -m mindtorch SCRIPT …`` runs a program that was written for torch.

The program gets an interpreter of its own in which ``torch`` means mindtorch, so tracebacks, exit
codes, signals and child processes are those of ``python SCRIPT …``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from .compat.import_alias import environment

USAGE = """usage: python -m mindtorch [OPTION] (SCRIPT | -m MODULE | -c CODE) [ARGUMENT …]

Runs a program that was written for torch: 'import torch' means mindtorch in it.

  --cuda-as-npu   cuda means the simulated NPU, so that programs for CUDA run as they are
  --torch-npu     torch_npu is that of the simulated NPU, for programs for Ascend NPUs
"""

#: The variable that an option sets.
_VARIABLES = {"--cuda-as-npu": "MINDTORCH_CUDA_AS_NPU", "--torch-npu": "MINDTORCH_TORCH_NPU"}


def run(words: list[str], extra: dict[str, str]) -> NoReturn:
    """Become ``python WORDS`` with the variables *extra* added to the environment."""
    flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # as multiprocessing
    command = [sys.executable, *flags, *words]
    variables = os.environ | extra
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(command[0], command, variables)
    sys.exit(subprocess.call(command, env=variables))  # Windows would not wait for the new process


def main(words: list[str]) -> NoReturn:
    """Read the command line and run the program."""
    while words and words[0] in _VARIABLES:
        os.environ[_VARIABLES[words[0]]] = "1"
        words = words[1:]
    if not words or words[0] in ("-h", "--help"):
        print(USAGE, end="")
        sys.exit(0 if words else 2)
    if words[0].startswith("-") and words[0] not in ("-m", "-c", "-"):
        print(f"{USAGE}\nerror: no such option: {words[0]}", file=sys.stderr)
        sys.exit(2)
    run(words, environment())


if __name__ == "__main__":
    main(sys.argv[1:])
