"""``torch.stft``: Python in torch, in front of the ops of its name."""

from __future__ import annotations

from ..call.intercept import overridable
from ..core.operators import ops
from ..tensor import Tensor
from .register import FUNCTIONS

__all__ = ["stft"]


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """The Fourier transforms of the frames of a signal, one frame in each column.

    :param hop_length: from one frame to the next, a quarter of *n_fft* where None.
    :param center: frame *t* is around point ``t * hop_length``, for which the signal is padded.
    """
    if center:
        if align_to_window is not None:
            raise RuntimeError("stft align_to_window should only be set when center = false")
        dims = input.dim()
        half = int(n_fft // 2)
        wide = input.view((*[1] * (3 - dims), *input.shape))
        input = ops.pad(wide, (half, half), pad_mode)
        input = input.view(input.shape[-dims:])
    return FUNCTIONS["stft"](
        input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex,
        align_to_window,
    )  # fmt: skip


stft = overridable(stft)
