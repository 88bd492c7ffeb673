"""Spectrograms: ``stft``, the transforms of the frames of a signal, and ``istft``, its inverse.

Source of checks and texts: torch aten/src/ATen/native/SpectralOps.cpp.
"""

from __future__ import annotations

from typing import Any

from ..call.row import op
from ..core.errors import scalar_type
from ..core.operators import ops
from ..core.warning import warn_once
from .fourier import BY_NUMBER, BY_ROOT, NONE
from .reflected import holds

__all__: list[str] = []

_ONESIDED = "Cannot have onesided output if window or input is complex"


def _sizes(x: Any) -> str:
    return "[" + ", ".join(map(str, x.shape)) + "]"


def _kind(x: Any) -> str:
    """The name that errors have for tensors of the dtype of *x*."""
    if x.is_complex() or x.dtype.name in ("bool", "uint16", "uint32", "uint64"):
        return f"{x.device.type.upper()}{scalar_type(x.dtype)}Type"
    return f"torch.{scalar_type(x.dtype)}Tensor"


def _said(flag: Any) -> str:
    return "None" if flag is None else str(int(flag))


def _window_said(window: Any) -> str:
    return "None" if window is None else f"{_kind(window)}{{{_sizes(window)}}}"


def _framed(window: Any, n_fft: int, win_length: int, x: Any, dtype: Any) -> Any:
    """The *window* in the middle of *n_fft* points; None where all count alike.

    :param dtype: that of the window if there is none. It is ``istft`` that says it, which pads the
        window, where ``stft`` writes it into zeros.
    """
    if window is None:
        if win_length == n_fft and dtype is not None:
            return ops.ones(
                (n_fft,), dtype=dtype, layout=x.layout, device=x.device, pin_memory=False
            )
        window = ops.ones(
            (win_length,),
            dtype=dtype or x.dtype,
            layout=x.layout,
            device=x.device,
            pin_memory=False,
        )
    if win_length < n_fft:
        left = (n_fft - win_length) // 2
        if dtype is not None:
            return ops.constant_pad_nd(window, (left, n_fft - win_length - left))
        framed = ops.zeros(
            (n_fft,), dtype=window.dtype, layout=x.layout, device=x.device, pin_memory=False
        )
        framed.narrow(0, left, win_length).copy_(window)
        return framed
    return window


def _stft_center(
    self: Any,
    n_fft: int,
    hop_length: int | None,
    win_length: int | None,
    window: Any,
    center: bool,
    pad_mode: str,
    normalized: bool,
    onesided: bool | None,
    return_complex: bool | None,
    align_to_window: bool | None,
) -> Any:
    if window is None:
        warn_once(
            "A window was not provided. A rectangular window will be applied,which is known to "
            "cause spectral leakage. Other windows such as torch.hann_window or "
            "torch.hamming_window are recommended to reduce spectral leakage.To suppress this "
            "warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, "
            "device=<device>)`.",
            "stft window",
        )
    hop = n_fft >> 2 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    if window is not None and window.device != self.device:
        raise RuntimeError(
            "stft input and window must be on the same device but got self on "
            f"{self.device} and window on {window.device}"
        )
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    complex_result = bool(return_complex)
    if return_complex is None:
        complex_result = self.is_complex() or (window is not None and window.is_complex())
        if not complex_result:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will "
                "further require that return_complex=True in a future PyTorch release."
            )
    elif not return_complex:
        warn_once(
            "stft with return_complex=False is deprecated. In a future pytorch release, stft will "
            "return complex tensors for all inputs, and return_complex=False will raise an error.\n"
            "Note: you can still call torch.view_as_real on the complex output to recover the old "
            "return format."
        )
    x = self
    if center:
        own, half = x.dim(), n_fft // 2
        x = ops.pad(x.view((*[1] * (3 - own), *x.shape)), (half, half), pad_mode)
        x = x.view(tuple(x.shape)[-own:])
    _check_stft(
        x, n_fft, hop, length, window, normalized, onesided, return_complex, align_to_window
    )
    single = x.dim() == 1
    if single:
        x = x.unsqueeze(0)
    if window is not None or length < n_fft:
        dtype = None
        if align_to_window and length < n_fft:  # frames are of the window's length
            left = (n_fft - length) // 2
            x = ops.pad(x, (left, n_fft - length - left), "constant")
        framed = _framed(window, n_fft, length, x, dtype)
    else:
        framed = None
    count = 1 + (x.size(1) - n_fft) // hop
    step = x.stride(1)
    frames = x.as_strided((x.size(0), count, n_fft), (x.stride(0), hop * step, step))
    if framed is not None:
        frames = frames * framed
    how = BY_ROOT if normalized else NONE
    if frames.is_complex():
        if onesided:
            raise RuntimeError(_ONESIDED)
        found = ops._fft_c2c(frames, (2,), how, True)
    else:
        if frames.dtype.name == "float16":
            raise RuntimeError("MKL FFT doesn't support tensors of type: Half")
        found = ops._fft_r2c(frames, (2,), how, True if onesided is None else onesided)
    found = ops.transpose_(found, 1, 2)
    if single:
        found = ops.squeeze_(found, 0)
    return found if complex_result else ops.view_as_real(found)


def _check_stft(
    x: Any, n_fft: int, hop: int, length: int, window: Any, normalized: Any, onesided: Any,
    return_complex: Any, align: Any,
) -> None:  # fmt: skip
    def refuse(text: str) -> None:
        raise RuntimeError(
            f"stft({_kind(x)}{_sizes(x)}, n_fft={n_fft}, hop_length={hop}, win_length={length}, "
            f"window={_window_said(window)}, normalized={_said(normalized)}, "
            f"onesided={_said(onesided)}, return_complex={_said(return_complex)}, "
            f"align_to_window={_said(align)}) : expected {text}"
        )

    if not (x.is_floating_point() or x.is_complex()):
        refuse("a tensor of floating point or complex values")
    if x.dim() not in (1, 2):
        refuse("a 1D or 2D tensor")
    if not 0 < n_fft <= x.size(-1):
        refuse(f"0 < n_fft < {x.size(-1)}, but got n_fft={length}")  # as torch says it
    if hop <= 0:
        refuse(f"hop_length > 0, but got hop_length={hop}")
    if not 0 < length <= n_fft:
        refuse(f"0 < win_length <= n_fft, but got win_length={length}")
    if window is not None and (window.dim() != 1 or window.size(0) != length):
        refuse(
            f"a 1D window tensor of size equal to win_length={length}, but got window with size "
            f"{_sizes(window)}"
        )


def _stft(
    self: Any,
    n_fft: int,
    hop_length: int | None,
    win_length: int | None,
    window: Any,
    normalized: bool,
    onesided: bool | None,
    return_complex: bool | None,
    align_to_window: bool | None,
) -> Any:
    return _stft_center(
        self, n_fft, hop_length, win_length, window, False, "constant", normalized, onesided,
        return_complex, align_to_window,
    )  # fmt: skip


def _istft(
    self: Any,
    n_fft: int,
    hop_length: int | None,
    win_length: int | None,
    window: Any,
    center: bool,
    normalized: bool,
    onesided: bool | None,
    length: int | None,
    return_complex: bool,
) -> Any:
    if window is None:
        warn_once(
            "A window was not provided. A rectangular window will be applied.Please provide the "
            "same window used by stft to make the inversion lossless.To suppress this warning and "
            "use a rectangular window, explicitly set `window=torch.ones(n_fft, "
            "device=<device>)`.",
            "istft window",
        )
    hop = n_fft >> 2 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length

    def named(text: str, error: type[Exception] = RuntimeError) -> Exception:
        return error(
            f"istft({_kind(self)}{_sizes(self)}, n_fft={n_fft}, hop_length={hop}, "
            f"win_length={width}, window={_window_said(window)}, center={int(center)}, "
            f"normalized={int(normalized)}, onesided={_said(onesided)}, "
            f"length={'None' if length is None else length}, return_complex={int(return_complex)})"
            + text
        )

    if window is not None and window.device != self.device:
        raise RuntimeError(
            "istft input and window must be on the same device but got self on "
            f"{self.device} and window on {window.device}"
        )
    if not self.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with "
            "return_complex=True."
        )
    frames = self.size(-1) if self.dim() else 1
    points = self.size(-2) if self.dim() > 1 else 1
    expected = n_fft + hop * (frames - 1)
    if not self.numel():
        raise named(" : input tensor cannot be empty.")
    if self.dim() not in (2, 3):
        raise named(f" : expected a tensor with 3 or 4 dimensions, but got {self.dim() + 1}")
    both = onesided is not None and not onesided
    half = onesided if onesided is not None else points != n_fft
    if half:
        if n_fft // 2 + 1 != points:
            raise named(
                " : expected the frequency dimension (3rd to the last) of the input tensor to "
                f"match n_fft / 2 + 1 when onesided=True, but got {points}"
            )
    elif n_fft != points:
        raise named(
            " : expected the frequency dimension (3rd to the last) of the input tensor to match "
            f"n_fft when onesided=False, but got {points}"
        )
    if not 0 < hop <= width:
        raise named(" : expected 0 < hop_length <= win_length")
    if not 0 < width <= n_fft:
        raise named(" : expected 0 < win_length <= n_fft")
    if window is not None and (window.dim() != 1 or window.size(0) != width):
        raise named(" : Invalid window shape. window has to be 1D and length of `win_length`")
    del both
    framed = _framed(window, n_fft, width, self, self.dtype.to_real())
    x = ops.view_as_real(self.resolve_conj())
    if self.dim() == 2:
        x = x.unsqueeze(0)
    x = ops.view_as_complex(x.transpose(1, 2))
    how = BY_ROOT if normalized else BY_NUMBER
    if return_complex:
        if half:
            raise RuntimeError(_ONESIDED)
        x = ops._fft_c2c(x, (2,), how, False)
    else:
        if window is not None and window.is_complex():
            raise RuntimeError("Complex windows are incompatible with return_complex=False")
        if not half:
            x = x.narrow(2, 0, n_fft // 2 + 1)
        x = ops._fft_c2r(x, (2,), how, n_fft)
    weighted = x * framed.view((1, 1, n_fft))
    square = (framed * framed).expand((1, frames, n_fft))
    y = ops.unfold_backward(weighted, (x.size(0), expected), 1, n_fft, hop)
    envelope = ops.unfold_backward(square, (1, expected), 1, n_fft, hop)
    start = n_fft // 2 if center else 0
    end = expected if length is None else start + length
    if length is None and center:
        end = expected - n_fft // 2
    end = max(min(end, expected), start) if end >= 0 else end
    y = _between(y, start, end)
    envelope = _between(envelope, start, end)
    if holds(envelope.abs().min().lt(1e-11)):
        raise named(" window overlap add min: 1\n[ CPUBoolType{} ]")
    y = ops.div(y, envelope)
    if self.dim() == 2:
        y = y.squeeze(0)
    wanted = start + length if length is not None else end
    if wanted > expected:
        warn_once(
            "The length of signal is shorter than the length parameter. Result is being padded "
            "with zeros in the tail. Please check your center and hop_length settings."
        )
        y = ops.constant_pad_nd(y, (0, wanted - end))
    return y


def _between(x: Any, start: int, end: int) -> Any:
    return x.narrow(1, start, max(end - start, 0))


op(
    "stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, "
    "bool normalized=False, bool? onesided=None, bool? return_complex=None, "
    "bool? align_to_window=None) -> Tensor",
    says="Return the Fourier transforms of short overlapping windows of a signal.",
    composite=_stft,
    variants="function",
    samples="stft",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
op(
    "stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
    'Tensor? window=None, bool center=True, str pad_mode="reflect", bool normalized=False, '
    "bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor",
    composite=_stft_center,
    variants="function",
    samples="stft_center",
    tags=("loops as: stft",),
    autocast=("float32", ""),
)
op(
    "istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
    "Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, "
    "int? length=None, bool return_complex=False) -> Tensor",
    says="Return the signal whose short-time Fourier transform is given.",
    composite=_istft,
    variants="function",
    samples="istft",
)
