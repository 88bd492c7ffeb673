"""``torch.ao.nn.qat.modules.linear``: a linear layer that rounds its weight."""

from __future__ import annotations

from typing import Any

from mindtorch.nn.utils.parametrize import type_before_parametrizations

from ..... import nn
from ..rounded_weight import checked_qconfig, qconfig_of, take

__all__ = ["Linear"]


class Linear(nn.Linear):
    """A linear layer whose weight passes through ``weight_fake_quant``.

    :param qconfig: a :class:`QConfig`, whose ``weight`` is used.
    """

    _FLOAT_MODULE: type = nn.Linear

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        qconfig: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(in_features, out_features, bias, device=device, dtype=dtype)
        self.qconfig = checked_qconfig(qconfig)
        made = {"device": device, "dtype": dtype}
        self.weight_fake_quant = qconfig.weight(factory_kwargs=made)

    def forward(self, input: Any) -> Any:
        """The layer with its weight rounded."""
        return nn.functional.linear(input, self.weight_fake_quant(self.weight), self.bias)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The layer that has the parameters and the ``qconfig`` of *mod*."""
        kind = type_before_parametrizations(mod)
        refusal = (
            f"qat.{cls.__name__}.from_float only works for {cls._FLOAT_MODULE.__name__}, "
            f"got {kind.__name__}"
        )
        assert kind == cls._FLOAT_MODULE, refusal
        if issubclass(kind, nn.Sequential):
            mod = mod[0]
        qconfig = qconfig_of(mod, nn.Linear, refusal)
        made = cls(mod.in_features, mod.out_features, bias=mod.bias is not None, qconfig=qconfig)
        return take(made, mod)

    def to_float(self) -> Any:
        """The layer of floats with these parameters."""
        linear = nn.Linear(self.in_features, self.out_features, self.bias is not None)
        linear.weight = nn.Parameter(self.weight.detach())
        if self.bias is not None:
            linear.bias = nn.Parameter(self.bias.detach())
        linear.train(self.training)
        return linear
