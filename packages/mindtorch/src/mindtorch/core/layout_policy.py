"""Whether gradients must be laid out like their tensors; ``autograd.grad_mode`` sets it."""

from __future__ import annotations

from contextvars import ContextVar

enforced: ContextVar[bool] = ContextVar("mindtorch_grad_layout_enforced", default=True)
