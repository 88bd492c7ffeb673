"""``torch.ao.quantization.HistogramObserver``: the range that loses least to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import nn
from ...aten import torch
from ...core.module_names import living_in
from ...core.warning import warn
from .observing import EPS, OF_TENSORS, UniformQuantizationObserverBase

__all__ = ["HistogramObserver"]

#: Parts that a bin is cut into before it is spread over bins of another width.
_FINER = 16
#: The share of all elements by which an end of the range moves at a time.
_STEP = 1e-5


class HistogramObserver(UniformQuantizationObserverBase):
    """Keeps a histogram of all tensors together, and searches it for the best range.

    The ends move inwards, the one next that leaves more bins out, as long as what rounding adds to
    the squares gets less; what lies outside counts as rounded to the ends.

    Raises NotImplementedError for scales of channels and for dynamic quantization.
    """

    histogram: Any

    def __init__(
        self,
        bins: int = 2048,
        dtype: Any = torch.quint8,
        qscheme: Any = torch.per_tensor_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        factory_kwargs: Any = None,
        eps: float = EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if qscheme not in OF_TENSORS:
            raise NotImplementedError(
                "HistogramObserver's qscheme only support torch.per_tensor_symmetric "
                "                    and torch.per_tensor_affine."
            )
        if is_dynamic:
            raise NotImplementedError("HistogramObserver doesn't support dynamic quantization")
        super().__init__(
            dtype, qscheme, reduce_range, quant_min, quant_max, factory_kwargs, eps, is_dynamic,
            **kwargs,
        )  # fmt: skip
        made = nn.factory_kwargs(factory_kwargs)
        self.bins = bins
        self.register_buffer("histogram", torch.zeros(self.bins, **made))
        self.register_buffer("min_val", torch.tensor(float("inf"), **made))
        self.register_buffer("max_val", torch.tensor(float("-inf"), **made))
        self.dst_nbins = 2 ** torch.iinfo(self.dtype).bits
        self.upsample_rate = _FINER

    # -- what is seen -----------------------------------------------------------------------------

    def forward(self, x_orig: Any) -> Any:
        """Count *x_orig*, all but what is infinite, and return it."""
        if x_orig.numel() == 0:
            return x_orig
        x = x_orig.detach()
        low, high = torch.aminmax(x)
        if low == -torch.inf or high == torch.inf:
            warn("torch.inf detected in input tensor, ignoring input")
            x = x[x.abs() != torch.inf]
            if x.numel() == 0:
                return x_orig
            low, high = torch.aminmax(x)
        if self.min_val == float("inf") or self.max_val == float("-inf"):
            self.reset_histogram(x, low, high)
            return x_orig
        low, high = torch.min(self.min_val, low).detach(), torch.max(self.max_val, high).detach()
        seen = torch.histc(x, self.bins, min=low.item(), max=high.item())
        seen = seen.to(self.histogram.device)
        before = self.histogram, self.min_val, self.max_val
        self._keep_(self._combine_histograms(*before, seen, low, high), low, high)
        return x_orig

    def reset_histogram(self, x: Any, min_val: Any, max_val: Any) -> None:
        """Begin anew, with *x* alone."""
        if min_val.numel() != 1 or max_val.numel() != 1:
            raise AssertionError("histogram min/max values must be scalar.")
        seen = torch.histc(x, self.bins, min=min_val.item(), max=max_val.item())
        self._keep_(seen, min_val, max_val)

    def _keep_(self, histogram: Any, low: Any, high: Any) -> None:
        for mine, new in (self.histogram, histogram), (self.min_val, low), (self.max_val, high):
            mine.detach_().resize_(new.shape)
            mine.copy_(new)

    def _combine_histograms(
        self,
        orig_hist: Any,
        orig_min: Any,
        orig_max: Any,
        update_hist: Any,
        update_min: Any,
        update_max: Any,
    ) -> Any:
        """A histogram and a newer one, whose range holds that of the first."""
        if update_min == orig_min and update_max == orig_max:
            return orig_hist + update_hist
        if orig_min == orig_max:
            ends = {"min": update_min.item(), "max": update_max.item()}
            one = torch.histc(orig_min, bins=self.bins, **ends)
            return one * torch.sum(orig_hist) + update_hist
        if update_min > orig_min:
            raise AssertionError("update_min must be <= orig_min")
        if update_max < orig_max:
            raise AssertionError("update_max must be >= orig_max")
        return update_hist + self._upscale_histogram(
            orig_hist, orig_min, orig_max, update_min, update_max
        )

    def _upscale_histogram(
        self, histogram: Any, orig_min: Any, orig_max: Any, update_min: Any, update_max: Any
    ) -> Any:
        """*histogram* over another range: the middles of finer bins fall into its bins."""
        finer = self.bins * self.upsample_rate
        weights = histogram.repeat_interleave(self.upsample_rate) / self.upsample_rate
        width = (orig_max - orig_min) / finer
        begins = torch.linspace(orig_min.item(), orig_max.item(), finer + 1)[:-1]
        middles = begins.to(histogram.device) + 0.5 * width
        ends = torch.linspace(update_min.item(), update_max.item(), self.bins + 1)
        into = torch.bucketize(middles, ends.to(histogram.device), right=True) - 1
        into = into.clamp(0, self.bins - 1)
        return torch.bincount(into, weights=weights, minlength=self.bins)

    # -- what is found ----------------------------------------------------------------------------

    def calculate_qparams(self) -> tuple[Any, Any]:
        """The scale and the zero point for the best range."""
        if self.min_val == float("inf") and self.max_val == float("-inf"):
            warn(
                f"must run observer before calling calculate_qparams.{' ' * 36}"
                "Returning default scale and zero point ",
            )
            device = self.min_val.device.type
            return torch.tensor([1.0], device=device), torch.tensor([0], device=device)
        if self.bins != len(self.histogram):
            raise AssertionError(
                "The number of bins in histogram should be equal to the number of bins "
                "supplied while making this observer"
            )
        return self._calculate_qparams(*self._non_linear_param_search())

    def _non_linear_param_search(self) -> tuple[Any, Any]:
        """The best range."""
        if self.histogram.size()[0] != self.bins:
            raise AssertionError("bins mismatch")
        width = (self.max_val - self.min_val) / self.bins
        total = torch.sum(self.histogram).item()
        below = torch.cumsum(self.histogram, dim=0).cpu().numpy()
        left_out, kept = 0.0, 1.0  # shares of all elements
        start, end, least = 0, self.bins - 1, float("inf")
        while left_out < kept:
            more, less = left_out + _STEP, kept - _STEP
            first = np.searchsorted(below, np.float32(more * total), "left")
            last = np.searchsorted(below, np.float32(less * total), "right") - 1
            left, right = min(max(start, int(first)), end), max(min(end, int(last)), start)
            next_start, next_end = start, end
            if left - start > end - right:
                next_start, left_out = left, more
            else:
                next_end, kept = right, less
            if (next_start, next_end) == (start, end):
                continue
            error = self._compute_quantization_error(next_start, next_end)
            if error > least:
                break
            least, start, end = error, next_start, next_end
        return self.min_val + width * start, self.min_val + width * (end + 1)

    def _compute_quantization_error(self, next_start_bin: int, next_end_bin: int) -> float:
        """What rounding adds, for a range from one bin to another."""
        width = (self.max_val.item() - self.min_val.item()) / self.bins
        step = width * (next_end_bin - next_start_bin + 1) / self.dst_nbins
        if step == 0.0:
            return 0.0
        begin = (torch.arange(self.bins, device=self.histogram.device) - next_start_bin) * width
        end = begin + width

        def integer(places: Any) -> Any:
            found = torch.div(places, step, rounding_mode="floor")
            return torch.clamp(found, 0, self.dst_nbins - 1)

        first, last = integer(begin), integer(end)
        density = self.histogram / width
        half = torch.full_like(begin, step / 2)
        error = _squares(begin - (first + 0.5) * step, half, density)
        error += (last - first - 1) * _squares(-half[0], half[0], density)
        error += _squares(-half[0], end - (last * step + step / 2), density)
        return error.sum().item()

    # -- states -----------------------------------------------------------------------------------

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "min_val"] = self.min_val
        destination[prefix + "max_val"] = self.max_val

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        *told: Any,
    ) -> None:
        version = local_metadata.get("version", None)
        for name, nothing in ("min_val", float("inf")), ("max_val", float("-inf")):
            key = prefix + name
            if key in state_dict:
                if (version is None or version < 3) and state_dict[key].shape == (0,):
                    state_dict[key] = torch.tensor(nothing)
                setattr(self, name, state_dict[key])
            elif strict:
                missing_keys.append(key)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, *told
        )

    def extra_repr(self) -> str:
        """The range."""
        return f"min_val={self.min_val}, max_val={self.max_val}"


def _squares(begin: Any, end: Any, density: Any) -> Any:
    """The integral of the squares of what is spread evenly between two distances."""
    return density * ((end * end * end - begin * begin * begin) / 3)


living_in("mindtorch.ao.quantization.observer", HistogramObserver)
