"""Softmax over many classes, the rare of which share one place in the first step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...core.operators import ops
from ...tensor import Tensor as Tensor
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]


class _ASMoutput(NamedTuple):
    output: Any
    loss: Any


_ASMoutput.__qualname__ = "ASMoutput"
_ASMoutput.__name__ = "_ASMoutput"


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-softmax in two steps, for classes sorted by how frequent they are.

    The head scores the classes below the first of *cutoffs* and one entry for each cluster of
    those above; a cluster scores its own classes from a projection of the input that is
    *div_value* times narrower for each further cluster.

    Gives the log-probability of each target, and the mean of their negatives.
    """

    in_features: int
    n_classes: int
    cutoffs: list[int]
    div_value: float
    head_bias: bool
    head: Any
    tail: Any

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        wrong = cutoffs != sorted(cutoffs) or len(set(cutoffs)) != len(cutoffs)
        wrong = wrong or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1
        if wrong or any(int(c) != c for c in cutoffs):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing "
                "order, where each value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        kind = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **kind)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            narrow = int(in_features // div_value ** (i + 1))
            classes = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(
                    Linear(in_features, narrow, bias=False, **kind),
                    Linear(narrow, classes, bias=False, **kind),
                )
            )

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        self.head.reset_parameters()
        for project, score in self.tail:
            project.reset_parameters()
            score.reset_parameters()

    def _check_(self, input: Any, target: Any) -> None:
        dims = target.dim()
        if dims == 1:
            if input.size(0) != target.size(0):
                raise RuntimeError(
                    "Input and target should have the same size in the batch dimension."
                )
            if input.dim() != 2:
                raise RuntimeError(
                    "1D target tensor expects 2D input tensors, but found inputs with size "
                    f"{input.size()}"
                )
        elif dims == 0:
            if input.dim() != 1:
                raise RuntimeError(
                    "0D target tensor expects 1D input tensors, but found inputs with size "
                    f"{input.size()}"
                )
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")

    def forward(self, input_: Any, target_: Any) -> _ASMoutput:
        self._check_(input_, target_)
        batched = target_.dim() > 0
        x = input_ if batched else input_.unsqueeze(0)
        target = target_ if batched else target_.unsqueeze(0)
        rows = target.size(0)
        output = x.new_zeros(rows)
        places = target.new_empty(rows)
        met = 0
        bounds = [0, *self.cutoffs]
        for i, (low, high) in enumerate(zip(bounds, bounds[1:], strict=False)):
            chosen = (target >= low) & (target < high)
            at = chosen.nonzero().reshape(-1)
            if not at.numel():
                continue
            met += at.numel()
            if i == 0:
                places.index_copy_(0, at, target[chosen])
                continue
            own = target[chosen] - low
            scores = F.log_softmax(self.tail[i - 1](x.index_select(0, at)), dim=1)
            places.index_fill_(0, at, self.shortlist_size + i - 1)
            output.index_copy_(0, at, scores.gather(1, own.unsqueeze(1)).squeeze(1))
        if met != rows:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        first = F.log_softmax(self.head(x), dim=1)
        output += first.gather(1, places.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _get_full_log_prob(self, input: Any, head_output: Any) -> Any:
        """The log-probabilities of all classes, from what the head gave."""
        out = input.new_empty((head_output.size(0), self.n_classes))
        first = F.log_softmax(head_output, dim=1)
        short = self.shortlist_size
        out[:, :short] = first[:, :short]
        for i, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False)):
            scores = F.log_softmax(self.tail[i](input), dim=1)
            out[:, low:high] = scores + first[:, short + i].unsqueeze(1)
        return out

    def log_prob(self, input: Any) -> Any:
        """The log-probabilities of all classes: (N, n_classes)."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Any) -> Any:
        """The most likely class of each row; what :meth:`log_prob` says, with less work."""
        head = self.head(input)
        output = ops.argmax(head, 1)
        beyond = output >= self.shortlist_size
        if not beyond.any():
            return output
        if beyond.all():
            return ops.argmax(self._get_full_log_prob(input, head), 1)
        full = self._get_full_log_prob(input[beyond], head[beyond])
        output[beyond] = ops.argmax(full, 1)
        return output
