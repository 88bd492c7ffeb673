"""Deprecated Python signatures: still accepted, left out of the listings in error texts.

Rows are (signature, arguments of the operator that it now means); a number among the arguments is
passed as it is. Source: torch tools/autograd/deprecated.yaml. Each row also holds for the in-place
function (``add_``), and takes ``out=`` where ``out`` says so.
"""

from __future__ import annotations

__all__ = ["DeprecatedSignature", "deprecated_signatures"]


class DeprecatedSignature:
    """One row: parameters as schema text, what they mean, and whether ``out=`` is taken."""

    __slots__ = ("means", "out", "parameters")

    def __init__(self, parameters: str, means: tuple[str | int, ...], out: bool = True) -> None:
        self.parameters, self.means, self.out = parameters, means, out


def _beta_alpha(first: str, second: str, out: bool = True) -> tuple[DeprecatedSignature, ...]:
    """The two old forms of ``addmm`` and its kind: beta, self, [alpha,] first, second."""
    ends = f"Tensor {first}, Tensor {second}"
    return (
        DeprecatedSignature(
            f"Scalar beta, Tensor self, Scalar alpha, {ends}",
            ("self", first, second, "beta", "alpha"),
            out,
        ),
        DeprecatedSignature(
            f"Scalar beta, Tensor self, {ends}", ("self", first, second, "beta", 1), out
        ),
    )


_ADD = (DeprecatedSignature("Tensor self, Scalar alpha, Tensor other", ("self", "other", "alpha")),)
_ADDC = (
    DeprecatedSignature(
        "Tensor self, Scalar value, Tensor tensor1, Tensor tensor2",
        ("self", "tensor1", "tensor2", "value"),
    ),
)

_ROWS = {
    "add": _ADD,
    "addbmm": _beta_alpha("batch1", "batch2"),
    "addcdiv": _ADDC,
    "addcmul": _ADDC,
    "addmm": _beta_alpha("mat1", "mat2"),
    "addmv": _beta_alpha("mat", "vec"),
    "addr": _beta_alpha("vec1", "vec2"),
    "baddbmm": _beta_alpha("batch1", "batch2"),
    "sspaddmm": _beta_alpha("mat1", "mat2", out=False),
    "sub": _ADD,
}


def deprecated_signatures(name: str) -> tuple[DeprecatedSignature, ...]:
    """The rows of a Python function (``"add"`` or ``"add_"``)."""
    return _ROWS.get(name.removesuffix("_"), ())
