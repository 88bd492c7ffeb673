"""One level of reverse mode, for ``grad``, ``vjp`` and what is made of them.

Note [Levels of reverse mode]
    There is one graph. A level makes its arguments anew: as leaves, or, where somebody outside
    wants gradients of them, as views of what they are, so that the level's own derivatives are
    recorded for the outside. What a level returns keeps its history only if that leads outside.
    Inside of ``vmap`` every argument is made one per sample, so that samples stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mindtorch_autograd import grad, grad_mode, unwrap
from mindtorch_autograd.errors import not_real, not_scalar
from mindtorch_autograd.node import AccumulateGrad

from ..aten.reflected import of_functions
from ..core import signature as S
from ..core.errors import integers_cannot_require_grad
from ..core.operators import ops
from ..functionality.batching import bottom, levels
from ..functionality.tangents import attach, tangents, without_history
from ..functionality.transform_guards import own
from ..functionality.transforms import open_transforms
from ..tensor import Tensor
from ..tensor.edges import gradient_edge
from ..tensor.gradient import require_grad
from .whole import ones, samples, whole

#: Where a leaf says of which level it is an argument.
_LEVEL = "_transform_level"


class ReverseLevel:
    """The arguments of one level, and what leads out of it.

    :ivar recording: whether grad mode was on when the level began.
    """

    def __init__(self) -> None:
        self.outer = open_transforms.get()
        self.recording = grad_mode.is_grad_enabled()
        self.stack = levels.get()
        self.inputs: list[Any] = []  # whole
        self.originals: list[tuple[Any, Any]] = []  # arguments as they are inside, and were outside
        self.tracked = False

    def enter(self, t: Any) -> Any:
        """*t* as an argument of the level."""
        if not isinstance(t, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(t)}")
        w = whole(t)
        if self.recording and w.requires_grad:
            self.tracked = True
            x = w.view_as(w)
        else:
            x = without_history(w)
            x._sig_ &= ~S.INFERENCE
            x._meta_ = S.STALE
            require_grad(x, integers_cannot_require_grad)
            x.__dict__[_LEVEL] = self
        self.inputs.append(x)
        inside = samples(own(x))
        self.originals.append((inside, t))
        return inside

    def reaches(self, t: Any) -> bool:
        """Whether gradients of *t*, a whole tensor, would reach an argument of the level."""
        if not t._sig_ & S.REQUIRES_GRAD:
            return False
        if any(t is x for x in self.inputs):
            return True
        wanted = {unwrap(gradient_edge(x))[0] for x in self.inputs}
        stack, seen = [t.grad_fn], set()
        while stack:
            node = stack.pop()
            if node in wanted:
                return True
            if node is not None and node not in seen:
                seen.add(node)
                stack += [unwrap(edge)[0] for edge in node._edges_]
        return False

    def leads_outside(self, outputs: Iterable[Any]) -> bool:
        """Whether gradients of *outputs* would reach anything besides the level's arguments."""
        if not self.recording:
            return False
        if self.tracked:
            return True
        stack = [bottom(t).grad_fn for t in outputs if isinstance(t, Tensor)]
        leaves = [bottom(t) for t in outputs if isinstance(t, Tensor) and bottom(t).is_leaf]
        if any(t.requires_grad and self._is_outside(t) for t in leaves):
            return True
        seen = set()
        while stack:
            node = stack.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            if isinstance(node, AccumulateGrad):
                if self._is_outside(node.variable):
                    return True
                continue
            stack += [unwrap(edge)[0] for edge in node._edges_]
        return False

    def _is_outside(self, leaf: Any) -> bool:
        """Whether *leaf* is the user's, or the argument of a level around this one.

        Levels inside of this one have ended: nobody asks for gradients of their arguments.
        """
        level = leaf.__dict__.get(_LEVEL)
        return level is None or level in self.outer

    def gradients(
        self,
        outputs: Sequence[Any],
        seeds: Sequence[Any] | None,
        retain_graph: bool = False,
        create_graph: bool = True,
    ) -> list[Any]:
        """The gradients of *outputs* with respect to the arguments; zeros where none comes."""
        pairs = []
        for i, out in enumerate(outputs):
            w = whole(out, self.stack)
            if not bottom(w).requires_grad:
                continue
            if seeds is None and not w.dtype.is_floating_point:
                raise not_real(w.dtype)
            if seeds is not None:
                _check_seed(seeds[i], out)
            seed = ones(w) if seeds is None else whole(seeds[i], self.stack)
            pairs.append((w, seed))
        if not pairs:
            return [ops.zeros_like(samples(x, self.stack)) for x in self.inputs]
        token = of_functions.set(True)
        try:
            found = grad(
                [w for w, _ in pairs],
                self.inputs,
                [seed for _, seed in pairs],
                retain_graph=retain_graph,
                create_graph=create_graph,
                allow_unused=True,
            )
        finally:
            of_functions.reset(token)
        return [
            ops.zeros_like(samples(x, self.stack)) if g is None else samples(g, self.stack)
            for g, x in zip(found, self.inputs, strict=True)
        ]

    def leave(self, value: Any) -> Any:
        """A result of the level, as the outside sees it."""
        for inside, outside in self.originals:
            if value is inside:
                return outside
        if not isinstance(value, Tensor) or not bottom(value).requires_grad:
            return value
        if self.leads_outside([value]):
            return value
        made = without_history(value)
        inner = bottom(made)
        for level, tangent in tuple(tangents(inner).items()):  # they came of the arguments, too
            attach(inner, level, self.leave(tangent))
        return made


def _check_seed(seed: Any, out: Any) -> None:
    if seed is None and out._a_.size != 1:
        raise not_scalar()
    if not isinstance(seed, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(seed).__name__}")
