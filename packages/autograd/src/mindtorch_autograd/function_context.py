"""The ``ctx`` of a ``Function``: what its ``forward`` and ``backward`` share.

It is the node of the call as well, as in torch, so whatever a user keeps on it lives as long as
the graph. What the framework keeps has names that begin with an underscore,
so a user may choose any other.
"""

from __future__ import annotations

import warnings
from sys import getrefcount
from typing import Any, ClassVar, NoReturn

from mindtorch_autograd import errors, function_errors, installed
from mindtorch_autograd.graph_task import current_graph_task
from mindtorch_autograd.naming import Named
from mindtorch_autograd.node import RELEASED, Edge, Node, name_of, next_key, shown
from mindtorch_autograd.saved_tensor import SavedTensor
from mindtorch_autograd.saved_variable import SavedVariable

__all__ = ["BackwardCFunction", "FunctionCtx"]


#: References to a gradient that nobody but ``apply`` holds: its name, the tuple it came in, the
#: one that ``zip`` uses again, and this question.
_HELD_HERE = 4


class FunctionCtx(metaclass=Named):
    """What users call in ``forward`` and ``setup_context``; any attribute may be set."""

    __module__ = "torch.autograd.function"

    to_save: Any = None
    saved_for_forward: tuple[Any, ...] | None = None
    dirty_tensors: Any = None
    non_differentiable: Any = None
    needs_input_grad: tuple[bool, ...] | None = None
    #: Whether ``jvp`` runs, which may do so inside of a backward.
    _pushes_forward_: bool = False
    _materialize_: bool = True
    #: Whether results that were marked as having no gradient get zeros, too.
    _materialize_constants_: bool = True
    #: Whether ``forward`` does nothing but show its argument another way.
    _pure_view_: bool = False

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep values for ``saved_tensors``; None is allowed. A second call replaces them."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep values for ``jvp``."""
        for tensor in tensors:
            assert tensor is None or installed.space.is_value(tensor), (
                "save_for_forward expects all arguments to be tensors; you should save "
                "non-tensors as attributes on ctx."
            )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs ``forward`` changed in place; it must return them."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing: what shares memory is known."""
        warnings.warn(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically "
            "tracked. Note that calls to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which results have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Choose between zeros (default) and None for gradients that nobody gave."""
        self.materialize_grads = value

    @property
    def materialize_grads(self) -> NoReturn:
        """Not readable, as in torch; setting it is :meth:`set_materialize_grads`."""
        raise function_errors.attribute_not_readable("materialize_grads")

    @materialize_grads.setter
    def materialize_grads(self, value: bool) -> None:
        if type(value) is not bool:
            raise function_errors.materialize_grads_type("set_materialize_grads")
        self._materialize_ = value

    @property
    def _materialize_non_diff_grads(self) -> bool:
        return self._materialize_constants_

    @_materialize_non_diff_grads.setter
    def _materialize_non_diff_grads(self, value: bool) -> None:
        if type(value) is not bool:
            raise function_errors.materialize_grads_type("set_materialize_non_diff_grads")
        self._materialize_constants_ = value

    @property
    def _is_pure_view(self) -> NoReturn:
        raise function_errors.attribute_not_readable("_is_pure_view")

    @_is_pure_view.setter
    def _is_pure_view(self, value: bool) -> None:
        if type(value) is not bool:
            raise function_errors.materialize_grads_type("set_pure_view")
        self._pure_view_ = value
        if self.dirty_tensors is None:
            self.dirty_tensors = ()  # so that the results are looked at one by one


class BackwardCFunction(Node, FunctionCtx):
    """The node of a ``Function``, and at once its ``ctx``. Each Function has a subclass.

    :ivar _is_value_: which arguments of ``forward`` were values, in order.
    :ivar _argument_facts_: metadata per edge, which gradients must fit.
    :ivar _result_facts_: metadata per result (None for one that is no value).
    :ivar _versions_: per saved value its version when it was saved.
    """

    __module__ = "torch.autograd.function"

    _takes_undefined_ = True
    _shown_by_ = "torch._C._FunctionBase"
    _forward_cls: ClassVar[Any] = None

    _is_value_: tuple[bool, ...] = ()
    _argument_facts_: tuple[Any, ...] = ()
    _result_facts_: tuple[Any, ...] = ()
    _versions_: tuple[int, ...] = ()
    _key_: int
    _edges_: tuple[Edge, ...]

    def __init__(self) -> None:
        self._key_ = next_key()
        self._edges_ = ()
        self._saved_ = ()
        self._extra_ = None

    # -- saved values -----------------------------------------------------------------------

    @shown
    def saved_tensors(self) -> tuple[Any, ...]:
        """The values given to :meth:`save_for_backward`; raises once they were freed.

        To ``jvp`` those given to :meth:`save_for_forward`: no others are saved when it runs.
        """
        if self._pushes_forward_:
            return self.saved_for_forward or ()
        saved = self._saved_
        if saved.__class__ is not tuple:
            raise (
                errors.backward_twice() if saved is RELEASED else function_errors.saved_read_twice()
            )
        version = installed.space.version
        found = []
        for x, expected in zip(saved, self._versions_):
            if x.__class__ is SavedVariable:
                x = x.unpack(self)
            elif x is not None and version(x) != expected:
                SavedVariable.of_version(x, expected).unpack(self)  # raises
            found.append(x)
        if self._forward_cls.clear_saved_tensors_on_access:
            self._saved_ = _READ
        return tuple(found)

    @shown
    def saved_variables(self) -> tuple[Any, ...]:
        """The old name of :attr:`saved_tensors`."""
        warnings.warn(
            "'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2
        )
        found: tuple[Any, ...] = self.saved_tensors
        return found

    @shown
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        if self._saved_.__class__ is not tuple:
            raise errors.backward_twice()
        return tuple([SavedTensor(self, i) for i in range(len(self._saved_))])

    def maybe_clear_saved_tensors(self) -> None:
        """Free the saved values now, unless the running backward retains the graph."""
        task = current_graph_task()
        if task is None or not task.keep_graph:
            self._saved_ = RELEASED

    # -- what users see -----------------------------------------------------------------------

    def __dir__(self) -> list[str]:
        return list(object.__dir__(self))

    def __call__(self, *grads: Any) -> NoReturn:
        """Refuse, as torch's does."""
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"

    # -- backward -----------------------------------------------------------------------------

    def _get_user_fn(self) -> Any:
        """Return the user's ``backward`` or ``vjp``."""
        cls = self._forward_cls
        backward, vjp = cls.backward, cls.vjp
        if vjp is not cls._no_vjp_:
            if backward is not cls._no_backward_:
                raise function_errors.backward_and_vjp()
            return vjp
        return backward

    def apply(self, *grads: Any) -> Any:
        """Call the user's ``backward`` and check its result; undefined gradients become zeros.

        Returns the gradient of the value where ``forward`` had one, else a list.
        """
        cls = self._forward_cls
        function = cls.backward
        if cls.vjp is not cls._no_vjp_:
            function = self._get_user_fn()
        for g in grads:
            if g is None:
                grads = self._materialized_(grads)
                break
        result = function(self, list(grads)) if cls.boxed_grads_call else function(self, *grads)
        if result.__class__ is not tuple and not isinstance(result, tuple):
            result = (result,)
        is_value = self._is_value_
        if len(result) != len(is_value):
            result = self._without_trailing_nones_(result)
        space = installed.space
        facts = self._argument_facts_
        conform, value_class = space.conform, space.value_class
        outs: list[Any] = []
        position = 0
        for was_value, out in zip(is_value, result):
            position += 1
            if not was_value:
                if out is not None:
                    raise function_errors.unexpected_gradient(name_of(self), position)
                continue
            if out is not None and not isinstance(out, value_class):
                raise function_errors.gradient_not_value(out)
            if out is not None and getrefcount(out) > _HELD_HERE and not _is_in(out, grads):
                space.claim(out)
            outs.append(out)
        if facts:
            # Once all are known to be gradients, as torch's engine looks at them after the node.
            for index, meta in enumerate(facts):
                if meta is not None and outs[index] is not None:
                    outs[index] = conform(outs[index], meta, self, index)
        return outs[0] if len(outs) == 1 else outs

    def _materialized_(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        if not self._materialize_:
            return grads
        facts = self._result_facts_
        if not facts:
            return grads
        zeros = installed.space.zeros
        skip: Any = () if self._materialize_constants_ else self._constant_results_
        return tuple(
            [
                zeros(facts[i]) if g is None and facts[i] is not None and i not in skip else g
                for i, g in enumerate(grads)
            ]
        )

    #: Numbers of the results without gradients.
    _constant_results_: tuple[int, ...] = ()

    def _without_trailing_nones_(self, result: tuple[Any, ...]) -> tuple[Any, ...]:
        expected = len(self._is_value_)
        if len(result) > expected and all([r is None for r in result[expected:]]):
            return result[:expected]
        raise function_errors.wrong_gradient_count(name_of(self), expected, len(result))

    def apply_boxed(self, *args: Any) -> Any:
        """Call the user's ``backward`` with a list of gradients."""
        return self._get_user_fn()(self, list(args))

    def apply_jvp(self, *args: Any) -> Any:
        """Call the user's ``jvp``: one tangent per argument, None for what has none."""
        return self._forward_cls.jvp(self, *args)


def _is_in(x: Any, values: tuple[Any, ...]) -> bool:
    return any([value is x for value in values])


class _Read:
    """Takes the place of ``_saved_`` where it may be read once only."""

    __slots__ = ()


_READ: Any = _Read()
