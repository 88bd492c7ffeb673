"""``torch.ao.nn.quantized.modules.functional_modules``: arithmetic that observers can watch."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ..... import nn
from ....._ops import ops
from .....aten import torch

__all__ = ["FXFloatFunctional", "FloatFunctional", "QFunctional"]


class FXFloatFunctional(nn.Module):
    """Arithmetic of floats as methods of a module."""

    def forward(self, x: Any) -> Any:
        """Refuse: the methods are to be called."""
        raise RuntimeError(
            "FloatFunctional is not intended to use the 'forward'. Please use the underlying "
            "operation"
        )

    def _observed_(self, result: Any) -> Any:
        """What becomes of a result."""
        return result

    def add(self, x: Any, y: Any) -> Any:
        """``x + y``."""
        return self._observed_(torch.add(x, y))

    def add_scalar(self, x: Any, y: float) -> Any:
        """``x + y`` for a number, which nothing watches."""
        return torch.add(x, y)

    def mul(self, x: Any, y: Any) -> Any:
        """``x * y``."""
        return self._observed_(torch.mul(x, y))

    def mul_scalar(self, x: Any, y: float) -> Any:
        """``x * y`` for a number, which nothing watches."""
        return torch.mul(x, y)

    def cat(self, x: list[Any], dim: int = 0) -> Any:
        """The tensors of a list, one after the other."""
        return self._observed_(torch.cat(x, dim=dim))

    def add_relu(self, x: Any, y: Any) -> Any:
        """What is positive of ``x + y``."""
        return self._observed_(nn.functional.relu(torch.add(x, y)))

    def matmul(self, x: Any, y: Any) -> Any:
        """``x @ y``."""
        return self._observed_(torch.matmul(x, y))


class FloatFunctional(FXFloatFunctional):
    """The same with an observer, ``activation_post_process``, that results pass through."""

    activation_post_process: nn.Module

    def __init__(self) -> None:
        super().__init__()
        self.activation_post_process = nn.Identity()

    def _observed_(self, result: Any) -> Any:
        return self.activation_post_process(result)


class QFunctional(nn.Module):
    """Arithmetic of quantized tensors as methods of a module, which quantizes what they give."""

    scale: float
    zero_point: int
    activation_post_process: nn.Module

    def __init__(self) -> None:
        super().__init__()
        self.scale, self.zero_point = 1.0, 0
        self.activation_post_process = nn.Identity()

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "scale"] = torch.tensor(self.scale)
        destination[prefix + "zero_point"] = torch.tensor(self.zero_point)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, *told: Any
    ) -> None:
        self.scale = float(state_dict.pop(prefix + "scale"))
        self.zero_point = int(state_dict.pop(prefix + "zero_point"))
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *told)

    def _get_name(self) -> str:
        return "QFunctional"

    def extra_repr(self) -> str:
        """The numbers that outputs are quantized by."""
        return f"scale={self.scale}, zero_point={self.zero_point}"

    def forward(self, x: Any) -> Any:
        """Refuse: the methods are to be called."""
        raise RuntimeError(
            "Functional is not intended to use the 'forward'. Please use the underlying operation"
        )

    def _to_(self) -> dict[str, Any]:
        return {"scale": self.scale, "zero_point": self.zero_point}

    def add(self, x: Any, y: Any) -> Any:
        """``x + y``."""
        return self.activation_post_process(ops.quantized.add(x, y, **self._to_()))

    def add_scalar(self, x: Any, y: float) -> Any:
        """``x + y`` for a number, which moves the zero point."""
        return ops.quantized.add_scalar(x, y)

    def mul(self, x: Any, y: Any) -> Any:
        """``x * y``."""
        return self.activation_post_process(ops.quantized.mul(x, y, **self._to_()))

    def mul_scalar(self, x: Any, y: float) -> Any:
        """``x * y`` for a number, which stretches the scale."""
        return ops.quantized.mul_scalar(x, y)

    def cat(self, x: list[Any], dim: int = 0) -> Any:
        """The tensors of a list, one after the other."""
        return self.activation_post_process(ops.quantized.cat(x, **self._to_(), dim=dim))

    def add_relu(self, x: Any, y: Any) -> Any:
        """What is positive of ``x + y``."""
        return self.activation_post_process(ops.quantized.add_relu(x, y, **self._to_()))

    def matmul(self, x: Any, y: Any) -> Any:
        """``x @ y``."""
        return ops.quantized.matmul(x, y, **self._to_())

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> QFunctional:
        """The quantized arithmetic of one of floats that was observed."""
        if type(mod) is not FloatFunctional:
            raise AssertionError(
                "QFunctional.from_float expects an instance of FloatFunctional, got "
                f"{type(mod).__name__}"
            )
        scale, zero_point = mod.activation_post_process.calculate_qparams()
        made = QFunctional()
        made.scale, made.zero_point = float(scale), int(zero_point)
        return made


offer_listed(globals())
