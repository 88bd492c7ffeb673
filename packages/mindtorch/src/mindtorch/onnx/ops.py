"""``torch.onnx.ops``: ops of ONNX, which are not here."""

from __future__ import annotations

from ..core.unavailable import COMPILER, offer, offer_listed

offer(globals(), COMPILER, "attention rotary_embedding symbolic symbolic_multi_out")

offer_listed(globals())
