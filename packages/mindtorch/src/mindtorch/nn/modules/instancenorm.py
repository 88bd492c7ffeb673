"""Normalisation of each sample by itself."""

from __future__ import annotations

from typing import Any

from ...core.warning import warn
from ...tensor import Tensor as Tensor
from .. import functional as F
from .batchnorm import _LazyNormBase, _NormBase

__all__ = [
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
]


class _InstanceNorm(_NormBase):
    """Each channel of each sample with mean 0 and variance 1, then scaled and shifted."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )

    def _get_no_batch_dim(self) -> int:
        raise NotImplementedError

    def _handle_no_batch_input(self, input: Any) -> Any:
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _apply_instance_norm(self, input: Any) -> Any:
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0,
            self.eps,
        )

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        version = local_metadata.get("version")
        if version is None and not self.track_running_stats:
            # Before 0.4 the statistics were there by default.
            kept = [n for n in ("running_mean", "running_var") if prefix + n in state_dict]
            if kept:
                kind = type(self).__name__
                names = " and ".join([f'"{prefix}{n}"' for n in kept])
                error_msgs.append(
                    f"Unexpected running stats buffer(s) {names} for {kind} with "
                    "track_running_stats=False. If state_dict is a checkpoint saved before 0.4.0, "
                    f"this may be expected because {kind} does not track running stats by default "
                    "since 0.4.0. Please remove these keys from state_dict. If the running stats "
                    f"are actually needed, instead set track_running_stats=True in {kind} to "
                    f"enable them. See the documentation of {kind} for details."
                )
                for name in kept:
                    state_dict.pop(prefix + name)
        super()._load_from_state_dict(
            state_dict,
            prefix,
            local_metadata,
            strict,
            missing_keys,
            unexpected_keys,
            error_msgs,
        )

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        at = input.dim() - self._get_no_batch_dim()
        if input.size(at) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={at} to match num_features "
                    f"({self.num_features}), but got: {input.size(at)}."
                )
            warn(
                f"input's size at dim={at} does not match num_features. You can silence this "
                "warning by not passing in num_features, which is not used because affine=False",
            )
        if input.dim() == self._get_no_batch_dim():
            return self._handle_no_batch_input(input)
        return self._apply_instance_norm(input)


class _Dims:
    """The dimensions of inputs of one kind: (C, …) or (N, C, …)."""

    _spatial_: int

    def _get_no_batch_dim(self) -> int:
        return self._spatial_ + 1

    def _check_input_dim(self, input: Any) -> None:
        n = self._spatial_
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")


class InstanceNorm1d(_Dims, _InstanceNorm):
    """Instance normalisation of (N, C, L) or (C, L)."""

    _spatial_ = 1


class InstanceNorm2d(_Dims, _InstanceNorm):
    """Instance normalisation of (N, C, H, W) or (C, H, W)."""

    _spatial_ = 2


class InstanceNorm3d(_Dims, _InstanceNorm):
    """Instance normalisation of (N, C, D, H, W) or (C, D, H, W)."""

    _spatial_ = 3


class LazyInstanceNorm1d(_Dims, _LazyNormBase, _InstanceNorm):
    """:class:`InstanceNorm1d` that learns ``num_features`` from its first input."""

    _spatial_ = 1
    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_Dims, _LazyNormBase, _InstanceNorm):
    """:class:`InstanceNorm2d` that learns ``num_features`` from its first input."""

    _spatial_ = 2
    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_Dims, _LazyNormBase, _InstanceNorm):
    """:class:`InstanceNorm3d` that learns ``num_features`` from its first input."""

    _spatial_ = 3
    cls_to_become = InstanceNorm3d
