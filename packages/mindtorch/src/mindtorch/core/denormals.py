"""Whether the processor takes denormal numbers for zero: bits of a register that a thread has.

A thread that is started has those of the one that starts it. C's ``fenv_t`` holds the register
among others; where it lies there is a fact of the C library for each processor.

Source: glibc, sysdeps/x86/fpu/bits/fenv.h and sysdeps/aarch64/fpu/bits/fenv.h; Intel 64 and IA-32
Architectures Software Developer's Manual, vol. 1, 10.2.3 (MXCSR); Arm ARM, FPCR.
"""

from __future__ import annotations

import ctypes
import platform
import sys

__all__ = ["flush"]

#: Processor -> which word of ``fenv_t`` the register is, and the bits for results and operands.
_REGISTERS = {"x86_64": (7, 1 << 15 | 1 << 6), "aarch64": (0, 1 << 24)}
_Environment = ctypes.c_uint32 * 8


def flush(on: bool) -> bool:
    """Take denormal numbers for zero in this thread, or for what they are; whether that worked."""
    register = _REGISTERS.get(platform.machine()) if sys.platform == "linux" else None
    if register is None:
        return False
    word, bits = register
    library, environment = ctypes.CDLL(None), _Environment()
    if library.fegetenv(environment):
        return False
    environment[word] = environment[word] | bits if on else environment[word] & ~bits
    return not library.fesetenv(environment)
