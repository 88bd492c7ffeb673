"""What distributions have in common whose parameter is ``probs`` or ``logits``."""

from __future__ import annotations

from typing import Any, ClassVar

from ..aten.torch import Size, Tensor
from .utils import lazy_property, logits_to_probs, probs_to_logits


class _Probabilities:
    """Each of ``probs`` and ``logits`` follows from the other, when it is first asked for."""

    #: Whether they are of two outcomes, not of as many as the last dimension has.
    _is_binary_: ClassVar[bool] = True

    @lazy_property
    def logits(self) -> Tensor:
        """Log odds, or log probabilities."""
        return probs_to_logits(self.probs, is_binary=self._is_binary_)

    @lazy_property
    def probs(self) -> Tensor:
        """Probabilities."""
        return logits_to_probs(self.logits, is_binary=self._is_binary_)


class _Parameter(_Probabilities):
    """The one that is given is ``_param``."""

    _param: Tensor

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._param.new(*args, **kwargs)

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter."""
        return self._param.size()


class _OfAnother:
    """Both are another distribution's, which :meth:`_other_` is in the classes derived from it."""

    def _other_(self) -> Any:
        raise NotImplementedError

    @property
    def logits(self) -> Tensor:
        """Log odds, or log probabilities."""
        return self._other_().logits

    @property
    def probs(self) -> Tensor:
        """Probabilities."""
        return self._other_().probs


class _OfCategorical(_OfAnother):
    """Both are those of ``_categorical``."""

    _categorical: Any

    def _other_(self) -> Any:
        return self._categorical

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._categorical._new(*args, **kwargs)

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter."""
        return self._categorical.param_shape


class _Relaxed(_OfAnother):
    """Both are those of ``base_dist``, and so is the temperature."""

    base_dist: Any

    def _other_(self) -> Any:
        return self.base_dist

    @property
    def temperature(self) -> Tensor:
        """The temperature."""
        return self.base_dist.temperature
