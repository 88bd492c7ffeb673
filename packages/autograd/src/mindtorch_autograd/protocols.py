"""What this package asks of the values it differentiates: the :class:`Space` protocol.

The engine, ``Function`` and the saved values never look inside a value. All they want to know
they ask of the one space that is installed with :func:`set_space`; mindtorch installs the one of
its tensors, the tests install one of plain floats (``mindtorch_autograd.testing``).

Words used below: a *value* is what is differentiated (a tensor), its *gradient* is a value of
the same space. The *edge* of a value is where its gradient goes: the ``Node`` that made it, an
``Output`` (one result of a node with several), the ``AccumulateGrad`` of a leaf, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from mindtorch_autograd import installed
from mindtorch_autograd.hooks import RemovableHandle
from mindtorch_autograd.node import Edge, Node

__all__ = ["Space", "get_space", "set_space"]


class Space(Protocol):
    """All that autograd asks of values.

    ``testing.SpaceContract`` checks an implementation of it. The methods marked (engine) run in
    ``backward``; the others only in ``Function``, saved values, root checks and anomaly mode.
    """

    # -- gradients (engine) ---------------------------------------------------------------

    def add(self, a: Any, b: Any) -> Any:
        """Sum two gradients of one value (engine). Must not change *a* or *b*."""

    def add_to(self, total: Any, grad: Any) -> Any:
        """Return *total* + *grad* (engine). *total* came from :meth:`add` and may be changed."""

    def difference(self, before: Any, after: Any) -> str | None:
        """Say how a hook's result differs from what it got: ``size of value``, None if it does not.

        Also ``type of value (was torch.FloatTensor got torch.DoubleTensor)``, ``device of value``.
        """

    def accumulate(self, variable: Any, grad: Any, create_graph: bool) -> None:
        """Add *grad* to ``variable.grad`` (engine).

        Follows torch's AccumulateGrad: the first gradient may be taken over as it is, later
        ones are added in place unless *create_graph*.
        Does nothing where *variable* has stopped requiring gradients.
        """

    def conform(self, grad: Any, metadata: Any, node: Node, index: int) -> Any:
        """Return *grad* fit for the value that *metadata* describes (engine).

        Sums it down to the shape it was broadcast from, casts it to the dtype; raises
        ``errors.invalid_gradient(...)`` naming *node* and *index* where that cannot be done.
        Called only for nodes that have ``metas`` (see ``Extras``).
        """

    def describe(self, x: Any) -> Any:
        """Return metadata of *x*: shape, dtype, device… opaque to this package."""

    def input_metadata(self, node: Node) -> tuple[Any, ...]:
        """What users see as ``node._input_metadata``: metadata per result that is known."""

    def pass_metadata(self, node: Node) -> None:
        """Note at the nodes that *node* leads to what their results are like, where it knows."""

    def claim(self, grad: Any) -> Any:
        """Note that somebody else holds *grad*: a leaf must not take it over (engine)."""

    def zeros(self, metadata: Any) -> Any:
        """Return a zero gradient for the value that *metadata* describes (engine)."""

    def zeros_like(self, x: Any, requires_grad: bool) -> Any:
        """Return zeros laid out like the value *x*, in place of a gradient that there is not."""

    # -- values ---------------------------------------------------------------------------

    #: The class of all values.
    value_class: type

    def is_value(self, x: Any) -> bool:
        """Say whether *x* is a value of this space (a tensor)."""

    def requires_grad(self, x: Any) -> bool:
        """Say whether gradients flow to *x*."""

    def edge(self, x: Any) -> Edge:
        """Return where gradients of *x* go; makes the ``AccumulateGrad`` of a leaf.

        None where *x* does not require a gradient.
        """

    def grad_fn(self, x: Any) -> Edge:
        """Return the edge of *x* if it is a result, None for a leaf. Makes nothing."""

    def set_history(self, x: Any, edge: Edge) -> None:
        """Make *x* the result of *edge*, requiring gradients.

        *edge* may be an ``AccumulateGrad``: then *x* stands in for that leaf. Where *x* was
        changed in place and is a view, this is the place to rebase its base.
        """

    def retain_grad(self, x: Any) -> None:
        """Make a backward fill ``x.grad`` (``backward(inputs=[x])`` asks this of results)."""

    def detach(self, x: Any) -> Any:
        """Return a value sharing data and version counter with *x*, without history."""

    def view(self, x: Any) -> Any:
        """Return an alias of *x* (``x.view_as(x)``): for Functions that return an input."""

    def version(self, x: Any) -> int:
        """Return how often *x* was changed in place."""

    def watched(self) -> bool:
        """Whether operations of this thread are recorded or seen: then there is no short cut."""

    def differentiable(self, x: Any) -> bool:
        """Say whether *x* may require gradients at all (a tensor of a float or complex dtype)."""

    def register_hook(self, x: Any, hook: Any) -> RemovableHandle:
        """Put *hook* on the gradient of *x* (``Tensor.register_hook``)."""

    # -- calls of a Function --------------------------------------------------------------

    def survey(self, args: tuple[Any, ...]) -> tuple[tuple[bool, ...], tuple[bool, ...], bool]:
        """Say of each argument whether it is a value, whether it requires a gradient.

        And, last, whether the call belongs to a transform such as ``vmap``; then
        :meth:`apply_outside` makes it.
        """

    def apply_outside(self, function: Any, args: tuple[Any, ...]) -> Any:
        """Call ``function.apply(*args)`` for a transform."""

    def enter(self, args: tuple[Any, ...]) -> tuple[tuple[Edge, ...], tuple[Any, ...]]:
        """Return an edge per value among *args*, and what its gradient must fit (None: no edge)."""

    def adopt(self, output: Any, args: tuple[Any, ...], node: Node) -> tuple[Any, ...] | None:
        """Make *output*, a value or a tuple of values, what *node* made; return their metadata.

        None, and nothing is done, where that is not all there is to it: for what
        :meth:`is_fresh` denies, and a value that comes twice.
        """

    def is_fresh(self, x: Any, args: tuple[Any, ...]) -> bool:
        """Say whether *x* is a differentiable value, without history, no view, none of *args*."""

    def hand_out(self, x: Any, edge: Edge, many: bool, pure: bool = False) -> None:
        """Make *x*, which a Function made, the result of *edge*; its base has no part in it.

        :param many: whether *edge*'s node has several results.
        :param pure: whether *x* is a view of the argument and nothing else: then its base has.
        """

    def made_inside(self, x: Any) -> None:
        """Note that a Function made *x*, to which no gradient comes; a view may not be changed."""

    def forget_history(self, x: Any) -> None:
        """Make *x* itself, which is no view, a constant."""

    def check_dirty(self, x: Any, alone: bool) -> None:
        """Raise if *x*, an argument that a Function changed in place, must not have been.

        A leaf (``errors.leaf_in_place``), or a view where it is not the only result
        (``errors.dirty_view_among_results``).
        """

    def count_change(self, x: Any) -> None:
        """Count a change of *x* in place."""

    def make_views_stale(self, x: Any) -> None:
        """Note that *x* was changed in place unseen, so that its views ask for their history."""

    def is_view(self, x: Any) -> bool:
        """Say whether *x* is a view of another value."""

    # -- roots of a backward --------------------------------------------------------------

    def check_root(self, x: Any, grad: Any, is_grads_batched: bool) -> Any:
        """Return the gradient to start from at root *x*.

        For ``grad=None`` ones, if *x* is a scalar of a real dtype, else ``errors.not_scalar()``
        or ``errors.not_real(...)``. For a value *grad* itself, after the checks of type, shape and
        dtype (``errors.grad_wrong_type``, ``grad_shape_mismatch``, ``grad_dtype_mismatch``).
        *x* is an edge where a ``GradientEdge`` was given: ``input_metadata`` in the extras of its
        node may describe its value.
        """

    def over_batch(self, run: Callable[[list[Any]], list[Any]], seeds: list[Any]) -> list[Any]:
        """Return what *run* gives for each of a batch of *seeds*, stacked (``is_grads_batched``).

        The first dimension of each seed is the batch's; a result that is None stays None.
        """

    # -- texts and debugging --------------------------------------------------------------

    def type_text(self, x: Any) -> str:
        """Return how a message names *x*: ``torch.FloatTensor [2]``."""

    def has_nan(self, x: Any) -> bool:
        """Say whether any element of *x* is NaN (anomaly mode)."""


def set_space(space: Space) -> Space | None:
    """Install *space* for the whole process; return the one installed before, if any."""
    before = installed.space
    installed.space = space
    return None if isinstance(before, installed.NoSpace) else before


def get_space() -> Space:
    """Return the installed space."""
    space: Space = installed.space
    return space
