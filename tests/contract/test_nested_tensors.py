"""Nested tensors: how they are made, what they say of themselves, autograd, layers, files."""

from __future__ import annotations

import copy
import io
import pickle
import re
import warnings
from collections.abc import Callable
from importlib import import_module
from multiprocessing.reduction import ForkingPickler
from typing import Any

import mindtorch as mt
import pytest
import torch

from .nested_programs import as_the_oracle_does, jagged, numbers, strided

Program = Callable[[Any], Any]


def listed(t: Any, *shapes: tuple[int, ...], **options: Any) -> Any:
    """A jagged tensor of samples of these shapes."""
    samples = [numbers(t, *shape) for shape in shapes]
    return t.nested.nested_tensor(samples, layout=t.jagged, **options)


def packed(t: Any, holes: bool = False, grad: bool = False) -> tuple[Any, Any]:
    """Values, and the nested tensor over them."""
    values = numbers(t, 6, 2)
    values.requires_grad_(grad)
    lengths = t.tensor([1, 1, 2]) if holes else None
    offsets = t.tensor([0, 2, 3, 6])
    return values, t.nested.nested_tensor_from_jagged(values, offsets, lengths)


MADE: dict[str, Program] = {
    "of a list": lambda t: listed(t, (2, 3), (1, 3)),
    "ragged behind": lambda t: (listed(t, (3, 2), (3, 4)), listed(t, (3, 2), (3, 4))._ragged_idx),
    "rectangular": lambda t: listed(t, (3, 2), (3, 2)),
    "of numbers": lambda t: t.nested.nested_tensor([[1.0, 2.0], [3.0]], layout=t.jagged),
    "with a dtype": lambda t: listed(t, (2,), (3,), dtype=t.float32),
    "ragged in two": lambda t: listed(t, (2, 3), (3, 2)),
    "of nothing": lambda t: t.nested.nested_tensor([], layout=t.jagged),
    "of other dimensions": lambda t: listed(t, (2, 3), (3,)),
    "of other dtypes": lambda t: t.nested.nested_tensor(
        [t.ones(2), t.ones(2).long()], layout=t.jagged
    ),
    "of scalars": lambda t: t.nested.nested_tensor([t.tensor(1.0)], layout=t.jagged),
    "another layout": lambda t: t.nested.nested_tensor([t.ones(2)], layout=t.sparse_coo),
    "as of a tensor": lambda t: t.nested.as_nested_tensor(numbers(t, 3, 2, 2), layout=t.jagged),
    "as of a nested one": lambda t: t.nested.as_nested_tensor(
        jagged(t), dtype=t.float32, layout=t.jagged
    ),
    "as of another layout": lambda t: t.nested.as_nested_tensor(jagged(t)),
    "as of a vector": lambda t: t.nested.as_nested_tensor(t.ones(2)),
    "as of a number": lambda t: t.nested.as_nested_tensor(3),
    "by lengths": lambda t: t.nested.nested_tensor_from_jagged(
        numbers(t, 4, 2), lengths=t.tensor([1, 3])
    ),
    "by another dimension": lambda t: t.nested.nested_tensor_from_jagged(
        numbers(t, 2, 4), t.tensor([0, 1, 4]), jagged_dim=2
    ),
    "by a wrong dimension": lambda t: t.nested.nested_tensor_from_jagged(
        numbers(t, 4, 2), lengths=t.tensor([1, 3]), jagged_dim=0
    ),
    "by nothing": lambda t: t.nested.nested_tensor_from_jagged(t.ones(4)),
    "narrow": lambda t: [
        t.nested.narrow(numbers(t, 3, 5, 2), 1, start, length, layout=t.jagged)
        for start, length in (
            (t.tensor([0, 1, 2]), t.tensor([3, 2, 1])), (1, 3), (0, 5), (0, t.tensor([5, 5, 2])),
        )
    ],
    "narrow of other rows": lambda t: t.nested.narrow(
        numbers(t, 3, 5), 1, t.tensor([1, 2]), 3, layout=t.jagged
    ),
    "narrow of the batch": lambda t: t.nested.narrow(numbers(t, 3, 5), 0, 0, 2, layout=t.jagged),
    "narrow by a float": lambda t: t.nested.narrow(numbers(t, 3, 5), 1, 0.0, 2),
    "narrow of the strided layout": lambda t: t.nested.narrow(numbers(t, 3, 5), 1, 0, 2),
    "narrow by tensors": lambda t: t.nested.narrow(numbers(t, 3, 5), 1, t.tensor([0, 1]), 2),
    "masked_select": lambda t: t.nested.masked_select(numbers(t, 3, 4), numbers(t, 3, 4) > 0),
    "masked_select of nothing": lambda t: t.nested.masked_select(
        numbers(t, 3, 4), t.tensor([False])
    ).offsets(),
    "padded of no nested one": lambda t: t.nested.nested_tensor_from_jagged(
        t.ones(4), lengths=t.tensor([1, 3])
    ).shape[0],
}  # fmt: skip


@pytest.mark.parametrize("case", MADE)
def test_construction(case: str) -> None:
    as_the_oracle_does(MADE[case])


def said(run: Callable[[Any, Any], Any]) -> Program:
    """What *run* says of a nested int and its tensor: text, or the type of an error with text."""

    def work(t: Any) -> str:
        x = listed(t, (2, 3), (1, 3))
        try:
            text = repr(run(x.shape[1], x))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        return re.sub(r"\bj\d+", "j", text).replace("mindtorch.", "torch.")

    return work


NESTED_INTS: dict[str, Callable[[Any, Any], Any]] = {
    "itself": lambda j, x: j,
    "equality": lambda j, x: (j == j, j != j, j == 3, 3 == j, j == x.shape[1], j is x.shape[1]),
    "of other samples": lambda j, x: (j == x.chunk(1)[0].shape[1], x.shape == (x * 2).shape),
    "of two": lambda j, x: (j >= 2, j >= 1, j < 2, j <= 1, bool(j), hash(j) == hash(x.shape[1])),
    "of three": lambda j, x: j >= 3,
    "less": lambda j, x: j < 5,
    "multiples": lambda j, x: (2 * j, j * 2 * 3, x.shape[0] * j),
    "product": lambda j, x: j * j,
    "sum": lambda j, x: j + 1,
    "quotient": lambda j, x: j // 2,
    "number": lambda j, x: int(j),
    "index": lambda j, x: range(j),
    "sizes": lambda j, x: (x.shape, x.size(), x.size(1), x.size(-1), x.stride(), x.shape[1:]),
    "size out of range": lambda j, x: x.size(3),
    "sizes joined": lambda j, x: ((2, j) + x.shape, type(x.shape)((2, j)), list(x.shape)),
    "node": lambda j, x: (j.node.is_nested_int(), j.node.nested_int_coeff(), j.node.is_constant()),
    "counts": lambda j, x: (x.dim(), x.ndim, len(x), x.numel(), x.element_size(), x.nbytes),
    "kinds": lambda j, x: (
        x.layout, x.is_nested, x.device, x.dtype, x.is_sparse, x.is_contiguous(), x.is_leaf,
        x.transpose(1, 2).is_contiguous(), x.is_same_size(x * 2), x.is_floating_point(),
        x.storage_offset(), x.untyped_storage().nbytes(), x.data.requires_grad,
    ),
    "parts": lambda j, x: (x.offsets(), x.lengths(), x._ragged_idx, x._min_seqlen, x._max_seqlen),
    "printing": lambda j, x: (x, x.transpose(1, 2)),
    "printing a leaf": lambda j, x: x.requires_grad_(),
    "tolist": lambda j, x: x.tolist(),
    "numpy": lambda j, x: x.numpy(),
    "item": lambda j, x: x.item(),
    "index out of range": lambda j, x: x[2],
    "flatten for tracers": lambda j, x: x.__tensor_flatten__(),
    "the same": lambda j, x: (x.contiguous() is x, x.to("cpu") is x, x.double() is x),
}  # fmt: skip


@pytest.mark.parametrize("case", NESTED_INTS)
def test_what_a_nested_tensor_says_of_itself(case: str) -> None:
    as_the_oracle_does(said(NESTED_INTS[case]))


HOLES: dict[str, Callable[[Any, Any], Any]] = {
    "samples": lambda t, x: (x.unbind(), x[1], x.select(0, 2)),
    "parts": lambda t, x: (x.offsets(), x.lengths(), x.numel(), x.is_contiguous()),
    "copies": lambda t, x: (x.clone(), x.contiguous()),
    "elementwise": lambda t, x: (x * 2, x.double(), x + x),
    "padded": lambda t, x: x.to_padded_tensor(0.0),
    "sum of rows": lambda t, x: x.sum(1),
    "sum": lambda t, x: (x.sum(-1), x.mean(-1)),
    "softmax of rows": lambda t, x: x.softmax(1),
    "softmax": lambda t, x: x.softmax(-1),
    "linear": lambda t, x: t.nn.functional.linear(x, numbers(t, 3, 2)),
    "unsqueeze": lambda t, x: x.unsqueeze(-1),
    "select": lambda t, x: x.select(-1, 0),
    "chunk": lambda t, x: x.chunk(2, -1),
    "view": lambda t, x: x.view(3, -1, 1, 2),
    "permute": lambda t, x: x.permute(0, 2, 1),
    "layer_norm": lambda t, x: t.nn.functional.layer_norm(x, (2,)),
    "values": lambda t, x: x.values(),
}


@pytest.mark.parametrize("case", HOLES)
def test_samples_that_end_before_the_next_begins(case: str) -> None:
    as_the_oracle_does(lambda t: HOLES[case](t, packed(t, holes=True)[1]))


def filled(t: Any, module: Any) -> Any:
    """*module* in float64 with the same parameters in both frameworks."""
    for i, p in enumerate(module.double().parameters()):
        p.data.copy_(numbers(t, *p.shape, scale=0.3 + 0.1 * i))
    return module


def trained(t: Any) -> Any:
    nn = t.nn
    model = filled(t, nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 4)))
    x = jagged(t, grad=True)
    (model(x).values() ** 2).sum().backward()
    return [x.grad, *(p.grad for p in model.parameters())]


def stepped(t: Any) -> Any:
    model = filled(t, t.nn.Linear(4, 2))
    optimizer = t.optim.SGD(model.parameters(), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        (model(jagged(t)) ** 2).mean(-1).values().sum().backward()
        optimizer.step()
    return list(model.parameters())


def embedded(t: Any) -> Any:
    layer = filled(t, t.nn.Embedding(4, 3, padding_idx=0))
    lists = [t.tensor([0, 2]), t.tensor([1]), t.tensor([3, 3, 0])]
    found = layer(t.nested.nested_tensor(lists, layout=t.jagged))
    found.values().sum().backward()
    return found, layer.weight.grad


def bags(t: Any) -> Any:
    lists = [t.tensor([0, 2]), t.tensor([1]), t.tensor([3, 3, 0])]
    indices = t.nested.nested_tensor(lists, layout=t.jagged)
    layer = filled(t, t.nn.EmbeddingBag(4, 3, mode="sum"))
    factors = t.nested.nested_tensor([numbers(t, 2), numbers(t, 1), numbers(t, 3)], layout=t.jagged)
    return layer(indices), layer(indices, per_sample_weights=factors)


def attended(t: Any) -> Any:
    projection = filled(t, t.nn.Linear(4, 12))
    x = jagged(t, grad=True)
    q, k, v = [
        p.unflatten(-1, (2, 2)).transpose(1, 2).contiguous().transpose(1, 2).contiguous()
        for p in projection(x).chunk(3, -1)
    ]
    heads = [p.transpose(1, 2) for p in (q, k, v)]
    return heads[0].shape[0]


def layer(make: Callable[[Any], Any], nested: Any = jagged, train: bool = False) -> Program:
    def run(t: Any) -> Any:
        with t.no_grad():
            return filled(t, make(t.nn)).train(train)(nested(t))

    return run


def self_attention(nested: Any, train: bool = False, **options: Any) -> Program:
    def run(t: Any) -> Any:
        module = filled(t, t.nn.MultiheadAttention(4, 2, batch_first=True)).train(train)
        x = nested(t)
        with t.no_grad():
            return module(x, x, x, **options)

    return run


def encoder(**options: Any) -> Program:
    def run(t: Any) -> Any:
        one = t.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, dropout=0.0)
        module = filled(t, t.nn.TransformerEncoder(one, 2, **options)).eval()
        mask = t.tensor([[0, 0, 1], [0, 0, 0], [0, 1, 1]]).bool()
        with t.no_grad():
            return module(numbers(t, 3, 3, 4), src_key_padding_mask=mask)

    return run


LAYERS: dict[str, Program] = {
    "training": trained,
    "steps": stepped,
    "embedding": embedded,
    "bags": bags,
    "heads": attended,
    "several": layer(lambda nn: nn.Sequential(nn.ReLU(), nn.LayerNorm(4), nn.Dropout(0.0))),
    "RMSNorm": layer(lambda nn: nn.RMSNorm(4)),
    "Softmax": layer(lambda nn: nn.Softmax(-1)),
    "attention in training": self_attention(jagged, train=True),
    "attention": self_attention(jagged),
    "attention of the strided layout": self_attention(strided),
    "attention of each head": self_attention(strided, average_attn_weights=False),
    "attention without weights": self_attention(strided, need_weights=False),
    "attention in training, strided": self_attention(strided, train=True),
    "encoder layer": layer(
        lambda nn: nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, dropout=0.0), strided
    ),
    "encoder layer, jagged": layer(
        lambda nn: nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, dropout=0.0)
    ),
    "encoder": encoder(),
    "encoder of padded samples": encoder(enable_nested_tensor=False),
}


@pytest.mark.parametrize("case", LAYERS)
def test_layers(case: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        as_the_oracle_does(LAYERS[case], rtol=1e-8)


def gradient(t: Any) -> Any:
    x = jagged(t, grad=True)
    return t.autograd.grad((x * x).values().sum(), x)


def gradient_of_nested(t: Any) -> Any:
    x = jagged(t, grad=True)
    y = x * x
    return t.autograd.grad(y, x, t.ones_like(y))


def second(t: Any) -> Any:
    x = jagged(t, grad=True)
    (g,) = t.autograd.grad((x**3).values().sum(), x, create_graph=True)
    return t.autograd.grad(g.values().sum(), x)


def hooked(t: Any) -> Any:
    x, seen = jagged(t, grad=True), []
    x.register_hook(lambda g: seen.append(g.is_nested))
    y = x * 2
    y.register_hook(lambda g: g * 10)
    y.retain_grad()
    y.values().sum().backward()
    return x.grad, y.grad, seen


def from_list(t: Any) -> Any:
    parts = [numbers(t, 2, 3).requires_grad_(), numbers(t, 1, 3).requires_grad_()]
    made = t.nested.as_nested_tensor(parts, layout=t.jagged)
    (made * made).values().sum().backward()
    return *(p.grad for p in parts), made.is_leaf


def through(t: Any) -> Any:
    values, x = packed(t, grad=True)
    (x * x).to_padded_tensor(0.0).sum().backward()
    return values.grad, x.requires_grad


def by_old_names(t: Any) -> Any:
    home = import_module(f"{t.__name__}.nested._internal.nested_tensor")
    values = numbers(t, 6, 2).requires_grad_()
    x = home.ViewNestedFromBuffer.apply(values, t.tensor([0, 2, 3, 6]), {"max_seqlen": 3})
    flat = home.ViewBufferFromNested.apply(x * 2) * home.buffer_from_jagged(x)
    flat.sum().backward()
    return values.grad, x._max_seqlen, x.detach()


def through_holes(t: Any) -> Any:
    values, x = packed(t, holes=True, grad=True)
    sum(part.sum() for part in x.unbind()).backward()
    return values.grad


def backward_of_nested(t: Any) -> Any:
    x = jagged(t, grad=True)
    (x * 3).backward()
    return x.grad


def selected(t: Any) -> Any:
    x = numbers(t, 3, 4).requires_grad_()
    t.nested.masked_select(x, x > 0).values().sum().backward()
    return x.grad


def no_leaf_in_place(t: Any) -> Any:
    x = jagged(t)
    shared = x.values()
    x.mul_(2)
    return x, shared


def let_go(t: Any) -> Any:
    x = jagged(t, grad=True) * 2
    y = x.detach()
    return x.requires_grad, y.requires_grad, y.is_leaf, y.grad_fn is None


def in_place_of_a_result(t: Any) -> Any:
    x = jagged(t, grad=True)
    y = x * 2
    y.mul_(x).add_(1)
    y.values().sum().backward()
    return x.grad, y.detach()


AUTOGRAD: dict[str, Program] = {
    "detached": let_go,
    "in place of a result": in_place_of_a_result,
    "grad": gradient,
    "grad of a nested result": gradient_of_nested,
    "second order": second,
    "hooks": hooked,
    "samples of a list": from_list,
    "values": through,
    "values with holes": through_holes,
    "old names": by_old_names,
    "backward of a nested result": backward_of_nested,
    "masked_select": selected,
    "in place": no_leaf_in_place,
}


@pytest.mark.parametrize("case", AUTOGRAD)
def test_autograd(case: str) -> None:
    as_the_oracle_does(AUTOGRAD[case])


def saved(**options: Any) -> Program:
    def run(t: Any) -> Any:
        file = io.BytesIO()
        t.save({"a": jagged(t), "b": jagged(t, grad=True)}, file)
        file.seek(0)
        found = t.load(file, **options)
        return found["a"], found["b"], found["b"].is_leaf

    return run


@pytest.mark.parametrize(
    "run",
    [
        saved(),
        saved(weights_only=False),
        lambda t: pickle.loads(pickle.dumps(jagged(t))),
        lambda t: pickle.loads(pickle.dumps(strided(t))),
        lambda t: copy.deepcopy(jagged(t, grad=True)),
        lambda t: copy.copy(jagged(t)),
    ],
    ids="file,file of anything,pickle,pickle of strided,deepcopy,copy".split(","),
)
def test_files_and_copies(run: Program) -> None:
    as_the_oracle_does(run)


@pytest.mark.parametrize("make", [jagged, strided])
@pytest.mark.parametrize("weights_only", [True, False])
def test_each_framework_reads_files_of_the_other(make: Any, weights_only: bool) -> None:
    for writer, reader in ((mt, torch), (torch, mt)):
        file = io.BytesIO()
        writer.save(make(writer), file)
        file.seek(0)
        found = reader.load(file, weights_only=weights_only)
        assert [p.tolist() for p in found.unbind()] == [p.tolist() for p in make(writer).unbind()]


@pytest.mark.parametrize("make", [jagged, strided])
def test_other_processes_get_them(make: Any) -> None:
    def run(t: Any) -> Any:
        import_module(f"{t.__name__}.multiprocessing")
        return pickle.loads(ForkingPickler.dumps(make(t)))

    as_the_oracle_does(run)
    rebuild, parts = mt.multiprocessing.reductions.reduce_nested_tensor(strided(mt))
    assert repr(rebuild(*parts)) == repr(strided(mt))


def test_a_file_cannot_ask_for_more_elements_than_it_has() -> None:
    parts = [mt.tensor(p) for p in ([[1 << 20, 1 << 10]], [[0, 0]], [0])]
    with pytest.raises(RuntimeError, match="more elements than its buffer"):
        mt._utils._rebuild_nested_tensor(mt.ones(1), *parts)


def test_modes() -> None:
    def run(t: Any) -> Any:
        with t.no_grad():
            one = jagged(t, grad=True) * 2
        with t.inference_mode():
            two = t.nn.functional.linear(jagged(t), numbers(t, 5, 4))
        with t.autocast("cpu", dtype=t.bfloat16):
            three = t.nn.functional.linear(jagged(t).float(), numbers(t, 5, 4).float()).dtype
        return one, two.clone(), str(three)

    as_the_oracle_does(run)
