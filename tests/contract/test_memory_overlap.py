"""Which operands may lie in the memory that is written: what torch refuses, and what it allows."""

from __future__ import annotations

import itertools
from typing import Any

import mindtorch
import pytest
import torch

from .batches import every

WAYS = {
    "a view": lambda t, x: x[1:],
    "a view of the detached": lambda t, x: x.detach()[1:],
    "a view of the data": lambda t, x: x.data[1:],
    "a window set over the storage": lambda t, x: t.empty(0).set_(x.untyped_storage(), 1, (5,)),
    "another tensor over the array": lambda t, x: t.from_numpy(x.numpy())[1:],
    "what DLPack hands over": lambda t, x: t.utils.dlpack.from_dlpack(x)[1:],
    "the same places": lambda t, x: x[:5],
    "the same places, detached": lambda t, x: x.detach()[:5],
    "its own number": lambda t, x: x[2],
}
WRITES = {
    "add_": lambda t, to, of: to.add_(of),
    "mul_ with another type": lambda t, to, of: to.mul_(of.to(t.float64)),
    "copy_": lambda t, to, of: to.copy_(of),
    "out=": lambda t, to, of: t.add(of, 1, out=to),
    "where out=": lambda t, to, of: t.where(of > 0, of, 1.0, out=to),
    "lerp_": lambda t, to, of: to.lerp_(t.ones(5, device=to.device), of),
    "masked_fill_": lambda t, to, of: to.masked_fill_(to > 5, of.flatten()[0]),
    "index_add_": lambda t, to, of: to.index_add_(
        0, t.tensor([0], device=to.device), of.reshape(-1)[:1]
    ),
    "index_copy_": lambda t, to, of: to.index_copy_(
        0, t.tensor([0], device=to.device), of.reshape(-1)[:1]
    ),
}


def outcome(t: Any, way: str, write: str, device: str) -> str:
    x = t.arange(6.0, device=device)
    try:
        WRITES[write](t, x[:5], WAYS[way](t, x))
    except (RuntimeError, TypeError, NotImplementedError) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return "meta" if x.is_meta else str(x.tolist())


@every("write", WRITES)
def test_operands_in_the_memory_that_is_written(write: str) -> None:
    """Only one storage counts, not the address; the same places are no overlap."""
    wrong = []
    for way in WAYS:
        ours, oracle = (outcome(t, way, write, "cpu") for t in (mindtorch, torch))
        if ours != oracle:
            wrong.append(f"{way}: {ours}, torch {oracle}")
    assert not wrong, "\n".join(wrong)


@every("write", WRITES)
def test_tensors_without_memory_overlap_nothing(write: str) -> None:
    """On meta all of it is allowed that torch allows."""
    wrong = []
    for way in WAYS:
        if "array" in way or "DLPack" in way:
            continue
        ours, oracle = (outcome(t, way, write, "meta") for t in (mindtorch, torch))
        if ours != oracle:
            wrong.append(f"{way}: {ours}, torch {oracle}")
    assert not wrong, "\n".join(wrong)


#: Views that compute nothing, and parts of them.
LAZY = {
    "negated": lambda t, x: t._neg_view(x),
    "conjugated": lambda t, x: x.conj(),
    "both": lambda t, x: t._neg_view(x.conj()),
    "plain": lambda t, x: x,
}
PARTS = {
    "first": lambda x: x[:1],
    "all": lambda x: x,
    "turned": lambda x: x.t(),
    "row": lambda x: x[0],
    "expanded": lambda x: x[:1].expand(2, 3),
    "nothing": lambda x: x[:0],
}


def copied(t: Any, target: str, source: str, to: str, of: str, apart: bool) -> str:
    x = t.arange(6.0).reshape(2, 3).to(t.complex64)
    read = PARTS[of](LAZY[source](t, x.clone() if apart else x))
    try:
        PARTS[to](LAZY[target](t, x)).copy_(read)
    except RuntimeError as error:
        return str(error).splitlines()[0]
    return repr([[z + 0 for z in row] for row in x.tolist()])


@every("target", LAZY)
def test_lazy_copies_look_at_the_memory_first(target: str) -> None:
    """A copy between conjugated or negated views refuses what one of plain memory refuses."""
    wrong = []
    for source, to, of in itertools.product(LAZY, PARTS, PARTS):
        # Else what is read was written before, or not.
        apart = to == "expanded" or (to, of) == ("all", "expanded")
        ours, oracle = (copied(t, target, source, to, of, apart) for t in (mindtorch, torch))
        if ours != oracle:
            wrong.append(f"{to} of {source} {of}: {ours}, torch {oracle}")
    assert not wrong, "\n".join(wrong)


def filled(t: Any, target: str, to: str, number: Any) -> str:
    x = t.arange(6.0).reshape(2, 3).to(t.complex64)
    try:
        PARTS[to](LAZY[target](t, x)).copy_(number)
    except RuntimeError as error:
        return str(error).splitlines()[0]
    return repr([[z + 0 for z in row] for row in x.tolist()])


@every("target", LAZY)
def test_a_number_is_copied_to_memory_of_any_layout(target: str) -> None:
    """A number, which the parser takes for a tensor, lies in nobody's memory."""
    wrong = []
    for to, number in itertools.product(PARTS, (2, 2.5, True, 3 + 1j)):
        ours, oracle = (filled(t, target, to, number) for t in (mindtorch, torch))
        if ours != oracle:
            wrong.append(f"{number} to {to}: {ours}, torch {oracle}")
    assert not wrong, "\n".join(wrong)


def _pair(t: Any, values: Any) -> Any:
    return values, t.empty(0, dtype=t.int64)


FILLS = {
    "masked_select": lambda t, x, o: t.masked_select(x, x > 0, out=o),
    "gather": lambda t, x, o: t.gather(x, 0, t.tensor([0, 1, 1]), out=o),
    "index_select": lambda t, x, o: t.index_select(x, 0, t.tensor([0, 1, 1]), out=o),
    "take": lambda t, x, o: t.take(x, t.tensor([0, 1, 1]), out=o),
    "take_along_dim": lambda t, x, o: t.take_along_dim(x, t.tensor([0, 1, 1]), 0, out=o),
    "kthvalue": lambda t, x, o: t.kthvalue(x, 2, out=_pair(t, o)),
    "median": lambda t, x, o: t.median(x, 0, out=_pair(t, o)),
    "nanmedian": lambda t, x, o: t.nanmedian(x, 0, out=_pair(t, o)),
    "mode": lambda t, x, o: t.mode(x, 0, out=_pair(t, o)),
    "topk": lambda t, x, o: t.topk(x, 3, out=_pair(t, o)),
    "min": lambda t, x, o: t.min(x, 0, out=_pair(t, o)),
    "max": lambda t, x, o: t.max(x, 0, out=_pair(t, o)),
    "cat": lambda t, x, o: t.cat([x, x], out=o),
    "stack": lambda t, x, o: t.stack([x, x], out=o),
    "index_add": lambda t, x, o: t.index_add(x, 0, t.tensor([0]), x[:1], out=o),
    "index_copy": lambda t, x, o: t.index_copy(x, 0, t.tensor([0]), x[:1], out=o),
    "scatter": lambda t, x, o: t.scatter(x, 0, t.tensor([0]), x[:1], out=o),
    "scatter_add": lambda t, x, o: t.scatter_add(x, 0, t.tensor([0]), x[:1], out=o),
    "cumsum": lambda t, x, o: t.cumsum(x, 0, out=o),
    "cumprod": lambda t, x, o: t.cumprod(x, 0, out=o),
    "logcumsumexp": lambda t, x, o: t.logcumsumexp(x, 0, out=o),
    "sort": lambda t, x, o: t.sort(x, out=_pair(t, o)),
    "renorm": lambda t, x, o: t.renorm(x.view(1, -1), 1, 0, 1, out=o.view(1, -1)),
}
TARGETS = {
    "expanded": lambda t, b: t.zeros(1).expand(3),
    "the same": lambda t, b: b[:3],
    "beside": lambda t, b: b[3:6],
    "half": lambda t, b: b[1:4],
    "a part": lambda t, b: b[2:3],
    "another": lambda t, b: t.zeros(3),
}


@every("name", FILLS)
def test_what_is_filled_may_not_be_read(name: str) -> None:
    """``out=`` of ops that are no loops over elements: in an operand's memory, or in parts."""
    for target in TARGETS:
        found: list[str] = []
        for t in (mindtorch, torch):
            b: Any = t.arange(12.0)
            try:
                FILLS[name](t, b[:3], TARGETS[target](t, b))
                found.append("done")
            except RuntimeError as error:
                found.append(str(error).splitlines()[0])
        assert found[0] == found[1], target


ACTIVATIONS = (
    "threshold relu elu hardtanh leaky_relu celu selu silu mish hardswish hardsigmoid relu6 dropout"
)


@every("name", ACTIVATIONS.split())
def test_activations_in_place_of_an_expanded_tensor(name: str) -> None:
    """``threshold`` writes the same twice, the others refuse."""
    found: list[str] = []
    for t in (mindtorch, torch):
        x = t.ones(1).expand(3)
        rest = (2.0, 5.0) if name == "threshold" else ()
        try:
            found.append(str(getattr(t.nn.functional, name)(x, *rest, inplace=True).tolist()))
        except RuntimeError as error:
            found.append(str(error))
    assert found[0] == found[1]


#: Whose target is looked at before it gets its size: torch's are loops over elements, or ask first.
_FIRST = (
    "addr complex glu huber_loss index_select mse_loss polar scatter scatter_add scatter_reduce "
    "smooth_l1_loss soft_margin_loss take add exp sum cat gather sort"
)
_CALLS: dict[str, Any] = {
    "addr": lambda t, x, o: t.addr(t.ones(2, 2), t.ones(2), t.ones(2), out=o),
    "complex": lambda t, x, o: t.complex(x, x, out=o),
    "glu": lambda t, x, o: t._C._nn.glu(x, out=o),
    "huber_loss": lambda t, x, o: t._C._nn.huber_loss(x, x, 0, 1.0, out=o),
    "index_select": lambda t, x, o: t.index_select(x, 0, t.tensor([1, 0]), out=o),
    "mse_loss": lambda t, x, o: t._C._nn.mse_loss(x, x, 0, out=o),
    "polar": lambda t, x, o: t.polar(x, x, out=o),
    "scatter": lambda t, x, o: t.scatter(x, 0, t.tensor([1, 0]), 2.0, out=o),
    "scatter_add": lambda t, x, o: t.scatter_add(x, 0, t.tensor([1, 0]), x, out=o),
    "scatter_reduce": lambda t, x, o: t.scatter_reduce(x, 0, t.tensor([1]), x, "sum", out=o),
    "smooth_l1_loss": lambda t, x, o: t._C._nn.smooth_l1_loss(x, x, 0, out=o),
    "soft_margin_loss": lambda t, x, o: t._C._nn.soft_margin_loss(x, x, 0, out=o),
    "take": lambda t, x, o: t.take(x, t.tensor([1, 0]), out=o),
    "add": lambda t, x, o: t.add(x, x, out=o),
    "exp": lambda t, x, o: t.exp(x, out=o),
    "sum": lambda t, x, o: t.sum(x, 0, out=o),
    "cat": lambda t, x, o: t.cat([x, x], out=o),
    "gather": lambda t, x, o: t.gather(x, 0, t.tensor([1, 0]), out=o),
    "sort": lambda t, x, o: t.sort(x, out=_pair(t, o)),
}


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@every("name", _FIRST.split())
def test_an_expanded_target_of_another_size(name: str) -> None:
    """Refused for its memory, or given its size: which comes first differs by op."""
    for size in (1, 7):
        found: list[str] = []
        for t in (mindtorch, torch):
            dtype = t.complex64 if name in ("complex", "polar") else t.float32
            target = t.zeros(1, dtype=dtype).expand(size)
            try:
                _CALLS[name](t, t.arange(4.0), target)
                found.append(f"done {tuple(target.shape)}")
            except RuntimeError as error:
                found.append(str(error).splitlines()[0])
        assert found[0] == found[1], size


#: Indices and values of which the written tensor has some, or all.
INDEXED = """
i.index_fill_(0, i, 0)
i.index_fill_(0, i, t.tensor(3))
i.index_fill_(0, i.clone(), i[1])
i[1:].index_fill_(0, i[:2], 0)
i.index_put_((i,), t.tensor(1))
i.index_put_((i,), i.clone())
i.index_put_((i.clone(),), i)
i.index_put_((i > 0,), i[0])
m.masked_fill_(m, False)
m[1:].masked_fill_(m[:-1], False)
""".strip().splitlines()


def indexed(t: Any, call: str) -> str:
    given = {"t": t, "i": t.tensor([2, 1, 0, 1]), "m": t.tensor([True, False, True])}
    try:
        return str(eval(call, given).tolist())
    except RuntimeError as error:
        return str(error)


@every("call", INDEXED)
def test_indices_in_the_memory_that_is_written(call: str) -> None:
    """What is read place by place while it is written is refused; a number is read before."""
    assert indexed(mindtorch, call) == indexed(torch, call)


#: Writes of *x*, of which each element is there several times, and of *y*, by parts of itself.
OWN_RULES = {
    "copy_ of itself": lambda t, x, y: x.copy_(x),
    "copy_ of another": lambda t, x, y: x.copy_(y),
    "copy_ of a neighbour": lambda t, x, y: y[1:].copy_(y[:-1]),
    "conj_physical_": lambda t, x, y: x.conj_physical_(),
    "nan_to_num_": lambda t, x, y: x.nan_to_num_(),
    "fill_ by a number": lambda t, x, y: x.fill_(1),
    "fill_ by a tensor": lambda t, x, y: x.fill_(y[0]),
    "masked_fill_ by a number": lambda t, x, y: x.masked_fill_(y.bool(), 1),
    "masked_fill_ by a tensor": lambda t, x, y: x.masked_fill_(y.bool(), y[0]),
    "masked_fill_ by its own": lambda t, x, y: y.masked_fill_(y.bool(), y[0]),
    "masked_scatter_": lambda t, x, y: x.masked_scatter_(y.bool(), y),
    "index_fill_": lambda t, x, y: x.index_fill_(0, t.tensor([0]), 1),
    "index_fill_ by its own": lambda t, x, y: y.index_fill_(0, t.tensor([0]), y[1]),
    "index_copy_": lambda t, x, y: x.index_copy_(0, t.tensor([0]), y[1:2]),
    "index_copy_ of its own": lambda t, x, y: y.index_copy_(0, t.tensor([0]), y[1:2]),
    "index_put_": lambda t, x, y: x.index_put_((t.tensor([0]),), y[1:2]),
    "index_put_ of its own": lambda t, x, y: y.index_put_((t.tensor([0, 1]),), y[1:]),
    "index_put_ by its own": lambda t, x, y: y.index_put_((y,), y),
    "index_put_ under a mask": lambda t, x, y: x.index_put_((y.bool(),), y[0]),
    "index_put_ with too many": lambda t, x, y: y.index_put_((y.bool(), y, y), y[0]),
    "index_add_ of its own": lambda t, x, y: y.index_add_(0, t.tensor([0]), y[1:2]),
    "assignment under a mask": lambda t, x, y: x.__setitem__(y.bool(), 1) or x,
    "fill_diagonal_": lambda t, x, y: x.expand(3, 3).fill_diagonal_(1),
    "tril_": lambda t, x, y: x.expand(3, 3).tril_(),
    "addmv_": lambda t, x, y: x.addmv_(y.expand(3, 3), y),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "int64", "complex64", "bool"])
def test_what_ops_with_rules_of_their_own_refuse(dtype: str) -> None:
    def answer(t: Any, write: Any) -> Any:
        x = t.ones(1, dtype=getattr(t, dtype)).expand(3)
        y = t.tensor([0, 1, 1], dtype=getattr(t, dtype))
        try:
            return write(t, x, y).tolist()
        except (RuntimeError, IndexError, NotImplementedError) as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"

    for name, write in OWN_RULES.items():
        assert answer(mindtorch, write) == answer(torch, write), name
