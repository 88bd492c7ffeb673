"""``torch.ao.nn.intrinsic.qat.modules.linear_fused``: a linear layer and its norm, rounded."""

from __future__ import annotations

from typing import Any

from mindtorch.nn.utils.fusion import fuse_linear_bn_weights

from ...... import nn
from ......aten import torch
from ....qat.rounded_weight import checked_qconfig, qconfig_of, take
from ...modules import fused
from .normalized import NormFolded

__all__ = ["LinearBn1d"]


class LinearBn1d(NormFolded, nn.modules.linear.Linear, fused._FusedModule):
    """A linear layer and the normalization of its batch, whose common weight is rounded.

    :param freeze_bn: normalize by the running statistics, in training too.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        eps: float = 1e-05,
        momentum: float = 0.1,
        freeze_bn: bool = False,
        qconfig: Any = None,
    ) -> None:
        nn.modules.linear.Linear.__init__(self, in_features, out_features, False)
        self.qconfig = checked_qconfig(qconfig)
        self.freeze_bn = freeze_bn if self.training else True
        self.bn = nn.BatchNorm1d(out_features, eps, momentum, True, True)
        self.weight_fake_quant = self.qconfig.weight()
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features))
        self.begin(bias)

    def forward(self, input: Any) -> Any:
        """The layer and its norm, with the weight that the two have together rounded."""
        deviation = torch.sqrt(self.bn.running_var + self.bn.eps)
        factor = self.bn.weight / deviation
        weight = self.weight_fake_quant(self.weight * factor.reshape(-1, 1))
        zero = torch.zeros(self.out_features, device=weight.device)
        found = nn.functional.linear(input, weight, zero) / factor.reshape(1, -1)
        if self.bias is not None:
            found = found + self.bias.reshape(1, -1)
        return self.bn(found)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The layer that has the parameters and the ``qconfig`` of *mod*."""
        wanted = fused.LinearBn1d
        refusal = f"qat.{cls.__name__}.from_float only works for {wanted.__name__}"
        qconfig = qconfig_of(mod, wanted, refusal)
        linear, bn = mod[0], mod[1]
        made = cls(
            linear.in_features, linear.out_features, linear.bias is not None, bn.eps, bn.momentum,
            False, qconfig,
        )  # fmt: skip
        take(made, linear)
        take(made.bn, bn, ("weight", "bias", "running_mean", "running_var", "num_batches_tracked"))
        return made

    def to_float(self) -> Any:
        """The linear layer of floats that does what the two do."""
        made = nn.Linear(self.in_features, self.out_features)
        bn = self.bn
        made.weight, made.bias = fuse_linear_bn_weights(
            self.weight, self.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
        )
        return made
