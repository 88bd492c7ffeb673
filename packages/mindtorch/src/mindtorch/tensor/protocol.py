"""Python's protocols: length, iteration, printing, copying, pickling, arrays, subscripts."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Number
from typing import Any

from ..core import signature as S
from ..core.late_bound import LateBound
from ..core.operators import ops
from ..core.warning import warn_once

_IDENTITY = "is deprecated on 0-D tensors. This function is the identity in these cases."
_CONJ = "is deprecated on 0-D tensors. Consider using x.conj()."


# Most programs neither copy, pickle nor hand over tensors, and many print none.
deepcopy = LateBound("deepcopy")
reduce = LateBound("reduce")
set_state = LateBound("set_state")
exported = LateBound("exported")
device_of = LateBound("device_of")
tensor_str = LateBound("tensor_str")


class Protocol:
    """The dunder methods that are no operators."""

    __slots__ = ()

    _a_: Any
    _sig_: int
    _shared_: Any

    def __len__(self) -> int:
        shape = self._a_.shape
        if not shape:
            raise TypeError("len() of a 0-d tensor")
        return shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Protocol, Number)):
            return bool((element == self).any().item())
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )

    def __delitem__(self, index: Any) -> None:
        raise TypeError("Tensor does not support deleting items")

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return tensor_str(self, tensor_contents=tensor_contents)

    def __str__(self) -> str:
        return self.__repr__()

    def __format__(self, spec: str) -> str:
        if self._a_.ndim == 0 and not self._sig_ & S.META and type(self).__name__ == "Tensor":
            return self.item().__format__(spec)
        return object.__format__(self, spec)

    def __dir__(self) -> list[str]:
        names = set(dir(type(self))) | set(self.__dict__)
        names.discard("_content_")  # a slot that only tensors of rare kinds fill
        return sorted(names)

    def __reversed__(self) -> Any:
        return self if self._a_.ndim == 0 else self.flip(0)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deepcopy(self, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return reduce(self)

    def __setstate__(self, state: Any) -> None:
        set_state(self, state)

    def __dlpack__(
        self,
        *,
        stream: Any = -1,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        return exported(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return device_of(self)

    @property
    def T(self) -> Any:
        """All dimensions reversed."""
        n = self._a_.ndim
        if not n:
            warn_once(f"Tensor.T {_IDENTITY}")
        elif n != 2:
            warn_once(
                "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
                "deprecated and it will throw an error in a future release. Consider `x.mT` to "
                "transpose batches of matrices or "
                "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
                "tensor."
            )
        return ops.permute(self, tuple(range(n - 1, -1, -1)))

    @property
    def mT(self) -> Any:
        """The last two dimensions exchanged."""
        n = self._a_.ndim
        if n == 1:
            raise RuntimeError(
                "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor."
            )
        if not n:
            warn_once(f"Tensor.mT {_IDENTITY}")
            return self
        return ops.transpose(self, -2, -1)

    @property
    def H(self) -> Any:
        """The conjugate transpose of a matrix."""
        n = self._a_.ndim
        if n not in (0, 2):
            raise RuntimeError(
                f"tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor."
                + (" For batches of matrices, consider using tensor.mH" if n > 2 else "")
            )
        if n:
            return self.mH
        warn_once(f"Tensor.H {_CONJ}")
        return self.conj()

    @property
    def mH(self) -> Any:
        """The conjugate, with the last two dimensions exchanged."""
        n = self._a_.ndim
        if n == 1:
            raise RuntimeError(
                "tensor.mH is only supported on matrices or batches of matrices. Got 1-D tensor."
            )
        if not n:
            warn_once(f"Tensor.mH {_CONJ}")
            return self.conj()
        return self.mT.conj()
