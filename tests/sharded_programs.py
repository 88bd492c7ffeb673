"""Programs on tensors that may be distributed, by what they are called; and how inputs may lie."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["MESHES", "PROGRAMS", "inputs", "layouts", "placed"]

#: Shapes of meshes.
MESHES = ((2,), (4,), (2, 2))

Program = Callable[..., Any]
#: Name -> the program, and the shapes of its tensors; ``int`` before a shape: numbers below it.
PROGRAMS: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "add": (lambda t, a, b: a + b, ((4, 8), (4, 8))),
    "add a number": (lambda t, a: a + 1, ((4, 8),)),
    "add a row": (lambda t, a, b: a + b, ((4, 8), (8,))),
    "subtract a column": (lambda t, a, b: a - b, ((4, 8), (4, 1))),
    "multiply": (lambda t, a, b: a * b, ((4, 8), (4, 8))),
    "scale": (lambda t, a: a * 3, ((4, 8),)),
    "divide": (lambda t, a, b: a / (b * b + 1), ((4, 8), (4, 8))),
    "negate": (lambda t, a: -a, ((4, 8),)),
    "relu": (lambda t, a: a.relu(), ((4, 8),)),
    "gelu": (lambda t, a: t.nn.functional.gelu(a), ((4, 8),)),
    "silu": (lambda t, a: t.nn.functional.silu(a), ((4, 8),)),
    "tanh": (lambda t, a: a.tanh(), ((4, 8),)),
    "power": (lambda t, a: a**2, ((4, 8),)),
    "where": (lambda t, a, b: t.where(a > 0, a, b), ((4, 8), (4, 8))),
    "clamp": (lambda t, a: a.clamp(-0.5, 0.5), ((4, 8),)),
    "cast": (lambda t, a: a.to(t.float64), ((4, 8),)),
    "addcmul": (lambda t, a, b: t.addcmul(a, a, b), ((4, 8), (4, 8))),
    "lerp": (lambda t, a, b: t.lerp(a, b, 0.3), ((4, 8), (4, 8))),
    "uneven": (lambda t, a: (a + a).relu(), ((6, 5),)),
    "sum": (lambda t, a: a.sum(), ((4, 8),)),
    "sum of a dim": (lambda t, a: a.sum(1), ((4, 8),)),
    "sum that keeps the dim": (lambda t, a: a.sum(0, keepdim=True), ((4, 8),)),
    "mean": (lambda t, a: a.mean(), ((4, 8),)),
    "mean of a dim": (lambda t, a: a.mean(-1), ((4, 8),)),
    "uneven mean": (lambda t, a: a.mean(0), ((6, 4),)),
    "largest": (lambda t, a: a.amax(1), ((4, 8),)),
    "variance": (lambda t, a: a.var(1), ((4, 8),)),
    "norm": (lambda t, a: t.linalg.vector_norm(a), ((4, 8),)),
    "largest norm": (lambda t, a: t.linalg.vector_norm(a, float("inf")), ((4, 8),)),
    "largest and where": (lambda t, a: a.max(1)[0], ((4, 8),)),
    "sort": (lambda t, a: a.sort(1)[0], ((4, 8),)),
    "cumulative sum": (lambda t, a: a.cumsum(0), ((4, 8),)),
    "transpose": (lambda t, a: a.t(), ((4, 8),)),
    "permute": (lambda t, a: a.permute(2, 0, 1), ((4, 4, 8),)),
    "flatten": (lambda t, a: a.reshape(16, 8), ((4, 4, 8),)),
    "split the first dim": (lambda t, a: a.reshape(4, 2, 4), ((8, 4),)),
    "split the last dim": (lambda t, a: a.reshape(4, 4, 2), ((4, 8),)),
    "heads": (lambda t, a: a.reshape(2, 4, 4, 2).transpose(1, 2), ((2, 4, 8),)),
    "there and back": (lambda t, a: (a.reshape(16, 8) * 2).reshape(4, 4, 8), ((4, 4, 8),)),
    "unsqueeze": (lambda t, a: a.unsqueeze(1), ((4, 8),)),
    "squeeze": (lambda t, a: a.squeeze(), ((4, 1, 8),)),
    "expand": (lambda t, a: a.expand(3, 4, 8), ((4, 8),)),
    "expand a dim": (lambda t, a: a.expand(4, 8), ((4, 1),)),
    "slice": (lambda t, a: a[:, 2:6], ((4, 8),)),
    "select": (lambda t, a: a[1], ((4, 8),)),
    "chunks": (lambda t, a: a.chunk(2, 1)[1], ((4, 8),)),
    "unbind": (lambda t, a: a.unbind(0)[2], ((4, 8),)),
    "cat": (lambda t, a, b: t.cat([a, b], 1), ((4, 8), (4, 8))),
    "stack": (lambda t, a, b: t.stack([a, b], 1), ((4, 8), (4, 8))),
    "upper triangle": (lambda t, a: a.triu(), ((4, 8, 8),)),
    "pad": (lambda t, a: t.nn.functional.pad(a, (1, 2)), ((4, 8),)),
    "flip": (lambda t, a: a.flip(1), ((4, 8),)),
    "mm": (lambda t, a, b: a @ b, ((4, 8), (8, 4))),
    "bmm": (lambda t, a, b: a @ b, ((4, 4, 8), (4, 8, 4))),
    "linear": (
        lambda t, a, w, b: t.nn.functional.linear(a, w, b),
        ((4, 8), (4, 8), (4,)),
    ),
    "linear of sequences": (
        lambda t, a, w, b: t.nn.functional.linear(a, w, b),
        ((4, 4, 8), (4, 8), (4,)),
    ),
    "matrix and vector": (lambda t, a, b: a @ b, ((4, 8), (8,))),
    "einsum": (lambda t, a, b: t.einsum("bik,bkj->bij", a, b), ((4, 4, 8), (4, 8, 4))),
    "softmax": (lambda t, a: a.softmax(-1), ((4, 8),)),
    "log_softmax": (lambda t, a: a.log_softmax(1), ((4, 8),)),
    "logsumexp": (lambda t, a: a.logsumexp(1), ((4, 8),)),
    "layer_norm": (
        lambda t, a, w, b: t.nn.functional.layer_norm(a, (8,), w, b),
        ((4, 4, 8), (8,), (8,)),
    ),
    "rms_norm": (lambda t, a, w: t.nn.functional.rms_norm(a, (8,), w), ((4, 8), (8,))),
    "embedding": (lambda t, i, w: t.nn.functional.embedding(i, w), (("int", 8, (4, 4)), (8, 4))),
    "cross_entropy": (
        lambda t, a, i: t.nn.functional.cross_entropy(a, i),
        ((8, 8), ("int", 8, (8,))),
    ),
    "cross_entropy that ignores": (
        lambda t, a, i: t.nn.functional.cross_entropy(a, i, ignore_index=2),
        ((8, 4), ("int", 4, (8,))),
    ),
    "summed cross_entropy": (
        lambda t, a, i: t.nn.functional.cross_entropy(a, i, reduction="sum"),
        ((6, 4), ("int", 4, (6,))),
    ),
    "mse_loss": (lambda t, a, b: t.nn.functional.mse_loss(a, b), ((4, 8), (4, 8))),
    "attention": (
        lambda t, q, k, v: t.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True),
        ((4, 4, 4, 8),) * 3,
    ),
    "gather": (lambda t, a, i: a.gather(1, i), ((4, 8), ("int", 8, (4, 4)))),
    "index_select": (lambda t, a, i: a.index_select(0, i), ((4, 8), ("int", 4, (4,)))),
    "index": (lambda t, a, i: a[i], ((4, 8), ("int", 4, (4,)))),
    "convolution": (
        lambda t, a, w, b: t.nn.functional.conv2d(a, w, b, padding=1),
        ((4, 4, 4, 4), (4, 4, 3, 3), (4,)),
    ),
    "pooling": (lambda t, a: t.nn.functional.max_pool2d(a, 2), ((4, 4, 4, 4),)),
    "group_norm": (
        lambda t, a, w, b: t.nn.functional.group_norm(a, 2, w, b),
        ((4, 4, 4), (4,), (4,)),
    ),
    "batch_norm": (
        lambda t, a, w, b: t.nn.functional.batch_norm(a, None, None, w, b, training=True),
        ((4, 4, 4), (4,), (4,)),
    ),
    "resizing": (
        lambda t, a: t.nn.functional.interpolate(a, scale_factor=2, mode="bilinear"),
        ((4, 4, 4, 4),),
    ),
    "binary_cross_entropy": (
        lambda t, a, b: t.nn.functional.binary_cross_entropy(a.sigmoid(), b.detach().sigmoid()),
        ((4, 8), (4, 8)),
    ),
    "repeat": (lambda t, a: a.repeat(2, 1, 1), ((4, 8),)),
    "binary_cross_entropy_with_logits": (
        lambda t, a, b, w: t.nn.functional.binary_cross_entropy_with_logits(
            a, b.detach().sigmoid(), pos_weight=w.detach().exp()
        ),
        ((4, 8), (4, 8), (8,)),
    ),
    "summed losses of a row": (
        lambda t, a, b: t.nn.functional.mse_loss(a, b.expand(4, 8), reduction="sum"),
        ((4, 8), (8,)),
    ),
    "uneven mse_loss": (lambda t, a, b: t.nn.functional.mse_loss(a, b), ((6, 5), (6, 5))),
    "sum without NaN": (lambda t, a: a.nansum(1), ((4, 8),)),
    "mean without NaN": (lambda t, a: a.nanmean(0), ((4, 8),)),
    "times what is not zero": (lambda t, a: a * t.count_nonzero(a, 0), ((4, 8),)),
    "both extremes": (lambda t, a: sum(t.aminmax(a)), ((4, 8),)),
    "distance": (lambda t, a, b: t.dist(a, b), ((4, 8), (4, 8))),
    "distance by row": (
        lambda t, a, b: t.nn.functional.pairwise_distance(a, b),
        ((4, 8), (4, 8)),
    ),
    "norm of a dim": (lambda t, a: a.norm(3, dim=1), ((4, 8),)),
    "diagonal matrix": (lambda t, a: t.diag_embed(a), ((4, 8),)),
    "diagonal": (lambda t, a: t.diag(a), ((4, 4),)),
    "take": (lambda t, a, i: t.take(a, i), ((4, 8), ("int", 32, (4,)))),
    "columns by index": (lambda t, a, i: a[:, i], ((4, 8), ("int", 8, (4,)))),
    "elements by two indices": (
        lambda t, a, i, j: a[i, :, j],
        ((4, 4, 8), ("int", 4, (4,)), ("int", 8, (4,))),
    ),
    "index_add": (
        lambda t, a, i, b: t.index_add(a, 0, i, b),
        ((4, 8), ("int", 4, (4,)), (4, 8)),
    ),
    "index_copy": (
        lambda t, a, i, b: t.index_copy(a, 1, i, b),
        ((4, 8), ("int", 8, (4,)), (4, 4)),
    ),
    "index_fill": (lambda t, a, i: t.index_fill(a, 0, i, 2.0), ((4, 8), ("int", 4, (2,)))),
    "index_put": (
        lambda t, a, i, b: t.index_put(a, (i,), b, True),
        ((4, 8), ("int", 4, (4,)), (8,)),
    ),
    "classes": (
        lambda t, a, i: a * t.nn.functional.one_hot(i, 8),
        ((4, 8), ("int", 8, (4,))),
    ),
    "a view and no view": (lambda t, a: a.reshape(8, 4), ((4, 8),)),
    "an uneven view": (lambda t, a: a.view(6, 4), ((2, 3, 4),)),
    "a view of one row": (lambda t, a: a.view(1, 4, 2), ((1, 8),)),
    "a copied view": (lambda t, a: t.transpose_copy(a, 0, 1), ((4, 8),)),
    "in place of a view": (lambda t, a: (a * 1).t_().unsqueeze_(0).squeeze_(0), ((4, 8),)),
    "matrix_exp": (lambda t, a: t.matrix_exp(a / 8), ((4, 4, 4),)),
    "triangular systems": (
        lambda t, a, b: t.linalg.solve_triangular(a.exp(), b, upper=True),
        ((4, 4, 4), (4, 4, 2)),
    ),
    "weight_norm": (
        lambda t, a, b: t._weight_norm_interface(a, b, 0)[0],
        ((4, 8), (4, 1)),
    ),
    "glu": (lambda t, a: t.nn.functional.glu(a), ((4, 8),)),
    "shuffled channels": (lambda t, a: t.channel_shuffle(a, 2), ((4, 4, 4, 4),)),
    "losses of rows": (
        lambda t, a, b: t.nn.functional.huber_loss(a, b, reduction="none"),
        ((6, 5), (6, 5)),
    ),
    "clone": (lambda t, a: a.clone(), ((4, 8),)),
    "zeros_like": (lambda t, a: t.zeros_like(a) + a, ((4, 8),)),
}


def inputs(t: Any, shapes: tuple[Any, ...]) -> list[Any]:
    """Tensors of the framework *t*: small numbers, the same each time."""
    made = []
    for k, shape in enumerate(shapes):
        if shape[0] == "int":
            _, below, size = shape
            count = 1
            for n in size:
                count *= n
            made.append((t.arange(count) * 5 % below).reshape(size))
        else:
            count = 1
            for n in shape:
                count *= n
            made.append((((t.arange(count) * (7 + k)) % 23 - 11) / 8.0).reshape(shape))
    return made


def _ways(shape: Any, whole: bool) -> list[Any]:
    """How a tensor of *shape* may lie on a dimension of a mesh."""
    if whole:
        return ["R", *range(len(shape[2]))]
    return ["R", "P", *range(len(shape))]


def layouts(name: str, mesh: tuple[int, ...], most: int) -> Iterator[tuple[Any, ...]]:
    """For each tensor of a program how it lies on each dimension of the mesh; *most* of them."""
    shapes = PROGRAMS[name][1]
    each = [
        list(itertools.product(_ways(shape, shape[0] == "int"), repeat=len(mesh)))
        for shape in shapes
    ]
    found = list(itertools.product(*each))
    chosen = random.Random(name + str(mesh))
    yield from chosen.sample(found, min(most, len(found)))


def placed(t: Any, tensor: Any, mesh: Any, ways: tuple[Any, ...]) -> Any:
    """The distributed tensor of *tensor*, which all processes have."""
    kinds = t.distributed.tensor
    named = {"R": kinds.Replicate(), "P": kinds.Partial()}
    placements = [named[w] if isinstance(w, str) else kinds.Shard(w) for w in ways]
    return kinds.distribute_tensor(tensor, mesh, placements, src_data_rank=None)
