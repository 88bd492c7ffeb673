"""``torch.onnx.verification``: models against the programs that they are made of."""

from __future__ import annotations

from ._internal.exporter._verification import VerificationInfo, verify_onnx_program

__all__ = ["VerificationInfo", "verify_onnx_program"]
