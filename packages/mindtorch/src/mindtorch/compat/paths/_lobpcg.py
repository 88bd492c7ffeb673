"""``torch._lobpcg``: where torch has :mod:`mindtorch.linalg.lobpcg`."""

from mindtorch.linalg.lobpcg import LOBPCG, LOBPCGAutogradFunction, lobpcg

__all__ = ["LOBPCG", "LOBPCGAutogradFunction", "lobpcg"]
