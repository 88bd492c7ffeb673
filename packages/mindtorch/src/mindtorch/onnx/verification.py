"""``torch.onnx.verification``: comparisons with an exported program, refused when called."""

from __future__ import annotations

from ..core.unavailable import COMPILER, offer

offer(globals(), COMPILER, "verify_onnx_program", "VerificationInfo")
