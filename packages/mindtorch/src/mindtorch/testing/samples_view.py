"""Samples of the rows that move or rename elements: views, splits, joins, indexing, sorting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mindtorch.testing import Call, Maker, call

Calls = Iterator[Call]


def _layouts(make: Maker, *shape: int) -> list[Any]:
    """The same shape contiguous, with gaps, and with its dims in another order."""
    out = [make(*shape), make(*shape, noncontiguous=True)]
    if len(shape) > 1:
        turned = make(*shape[1:], shape[0])
        out.append(turned.permute(len(shape) - 1, *range(len(shape) - 1)))
    return out


# -- views --------------------------------------------------------------------------------------


def unary_view(make: Maker) -> Calls:
    yield call(make())
    yield call(make(0, 3))
    for x in _layouts(make, 2, 3, 4):
        yield call(x)


def view(make: Maker) -> Calls:
    yield call(make(2, 3, 4), (6, 4))
    yield call(make(2, 3, 4), (-1, 2))
    yield call(make(2, 3, 4), (2, 3, 2, 2, 1))
    yield call(make(), (1, 1))
    yield call(make(0, 3), (3, 0, 2))
    yield call(make(2, 3, 4, noncontiguous=True), (6, 4))
    yield call(make(4, 3).t(), (3, 2, 2))


def bad_view(make: Maker) -> Calls:
    yield call(make(2, 3), (4,))
    yield call(make(2, 3), (-1, -1))
    yield call(make(2, 3), (-1, 4))
    yield call(make(2, 3), (-2, 3))
    yield call(make(2, 3).t(), (6,))
    yield call(make(0, 3), (-1, 0))


def reshape(make: Maker) -> Calls:
    yield from view(make)
    yield call(make(2, 3).t(), (6,))
    yield call(make(2, 3, 4).transpose(0, 2), (-1,))


def bad_reshape(make: Maker) -> Calls:
    yield call(make(2, 3), (4,))
    yield call(make(2, 3), (-1, -1))
    yield call(make(2, 3), (-2, 3))


def view_dtype(make: Maker) -> Calls:
    for name in ("float32", "int64", "uint8", "int16", "bool"):
        yield call(make(2, 8), make.type(name))
    yield call(make(4, 8, 8)[1:, ::2], make.type("uint8"))


def bad_view_dtype(make: Maker) -> Calls:
    to = make.type("complex128")
    yield call(make(2, 3), to)
    yield call(make(), to)
    yield call(make(2, 4).t(), to)
    yield call(make(16)[1:9], to)
    yield call(make(3, 5)[:, :4], to)
    yield call(make(4, 3).t(), make.type("int8"))


def flatten(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 3, 4))
    yield call(make(2, 3, 4), 1)
    yield call(make(2, 3, 4), 1, 1)
    yield call(make(2, 3, 4).transpose(0, 1), 0, 1)
    yield call(make(2, 0, 4), 0, -2)


def bad_flatten(make: Maker) -> Calls:
    yield call(make(2, 3), 1, 0)
    yield call(make(2, 3), 0, 3)


def unflatten(make: Maker) -> Calls:
    yield call(make(2, 12), 1, (3, 4))
    yield call(make(2, 12), -1, (3, -1, 2))


def bad_unflatten(make: Maker) -> Calls:
    yield call(make(2, 3), 1, (2, 2))
    yield call(make(2, 3), 1, ())
    yield call(make(2, 3), 1, (-1, 2))
    yield call(make(2, 3), 1, (-1, -1))


def transpose(make: Maker) -> Calls:
    for x in _layouts(make, 2, 3, 4):
        yield call(x, 0, 2)
        yield call(x, -1, 1)
    yield call(make(), 0, -1)
    yield call(make(3), 0, 0)


def bad_transpose(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 2)
    yield call(make(), 0, 1)


def t(make: Maker) -> Calls:
    yield call(make())
    yield call(make(3))
    yield call(make(2, 3))


def bad_t(make: Maker) -> Calls:
    yield call(make(1, 2, 3))


def matrix(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(4, 2, 3))


def bad_matrix(make: Maker) -> Calls:
    yield call(make(2))


def flipud(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(2, 3))


def bad_flipud(make: Maker) -> Calls:
    yield call(make())


def permute(make: Maker) -> Calls:
    yield call(make(), ())
    yield call(make(2, 3, 4), (2, 0, 1))
    yield call(make(2, 3, 4, noncontiguous=True), (-1, 1, 0))


def bad_permute(make: Maker) -> Calls:
    yield call(make(2, 3), (0,))
    yield call(make(2, 3), (0, 0))
    yield call(make(2, 3), (0, 2))


def movedim_intlist(make: Maker) -> Calls:
    yield call(make(2, 3, 4), (0, 1), (1, 2))
    yield call(make(2, 3, 4), (), ())
    yield call(make(2, 3, 4), (-1,), (0,))


def bad_movedim_intlist(make: Maker) -> Calls:
    yield call(make(2, 3), (0, 1), (0,))
    yield call(make(2, 3), (0, 0), (0, 1))
    yield call(make(2, 3), (0, 1), (1, 1))
    yield call(make(2, 3), (3,), (1,))


def expand(make: Maker) -> Calls:
    yield call(make(), (2, 3))
    yield call(make(3, 1), (2, 3, 4))
    yield call(make(3, 1), (-1, 5))
    yield call(make(1, 3).t(), (3, 0))
    yield call(make(2, 3), (2, 3))


def bad_expand(make: Maker) -> Calls:
    yield call(make(2, 3), (3,))
    yield call(make(2, 3), (2, 4))
    yield call(make(2, 3), (-1, 2, 3))
    yield call(make(2, 3), (2, -2))


def squeeze(make: Maker) -> Calls:
    yield call(make())
    yield call(make(1, 3, 1, 2))
    yield call(make(1, 1))


def squeeze_dim(make: Maker) -> Calls:
    yield call(make(), 0)
    yield call(make(1, 3, 1, 2), 0)
    yield call(make(1, 3, 1, 2), -2)
    yield call(make(1, 3), 1)


def bad_squeeze_dim(make: Maker) -> Calls:
    yield call(make(1, 3), 2)


def squeeze_dims(make: Maker) -> Calls:
    yield call(make(1, 3, 1, 2), (0, 2))
    yield call(make(1, 3, 1, 2), (0, 1))
    yield call(make(1, 3), ())
    yield call(make(), (0,))


def bad_squeeze_dims(make: Maker) -> Calls:
    yield call(make(1, 3), (0, 0))
    yield call(make(1, 3), (5,))


def unsqueeze(make: Maker) -> Calls:
    yield call(make(), 0)
    yield call(make(), -1)
    for x in _layouts(make, 2, 3):
        for dim in range(-3, 3):
            yield call(x, dim)


def bad_unsqueeze(make: Maker) -> Calls:
    yield call(make(2, 3), 4)
    yield call(make(2, 3), -4)


def select(make: Maker) -> Calls:
    for x in _layouts(make, 2, 3, 4):
        yield call(x, 0, 1)
        yield call(x, -1, -2)


def bad_select(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 2)
    yield call(make(2, 3), 1, -4)
    yield call(make(2, 3), 3, 0)
    yield call(make(), 0, 0)


def slice(make: Maker) -> Calls:
    for x in _layouts(make, 4, 5):
        yield call(x)
        yield call(x, 1, 1, 4)
        yield call(x, 1, -3, -1)
        yield call(x, 0, 1, None, 2)
        yield call(x, 0, 3, 1, 2)
        yield call(x, 0, -9, 99, 3)
        yield call(x, 0, 9)


def bad_slice(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 0, 1, 0)
    yield call(make(2, 3), 0, 0, 1, -1)
    yield call(make(), 0)
    yield call(make(2, 3), 4)


def narrow(make: Maker) -> Calls:
    yield call(make(4, 5), 1, 1, 3)
    yield call(make(4, 5), -2, -3, 2)
    yield call(make(4, 5), 0, 4, 0)


def bad_narrow(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 1, 2)
    yield call(make(2, 3), 0, 3, 0)
    yield call(make(2, 3), 0, -3, 1)
    yield call(make(), 0, 0, 1)
    yield call(make(2, 3), 0, 0, -1)
    yield call(make(2, 3), 2, 0, 1)


def as_strided(make: Maker) -> Calls:
    yield call(make(3, 4), (2, 2), (1, 2))
    yield call(make(3, 4), (3, 3), (1, 2), 1)
    yield call(make(3, 4)[1:], (2, 3), (4, 1))
    yield call(make(3, 4)[1:], (2, 3), (4, 1), 0)
    yield call(make(3, 4).t(), (5, 2), (2, 2))
    yield call(make(3, 4), (), ())


def bad_as_strided(make: Maker) -> Calls:
    yield call(make(2, 3), (2, 2), (1,), 0)
    yield call(make(2, 3), (4, 4), (4, 1), 0)
    yield call(make(2, 3), (2,), (-1,), 0)
    yield call(make(2, 3), (2,), (1,), -1)


def unfold(make: Maker) -> Calls:
    yield call(make(), 0, 1, 1)
    yield call(make(7), 0, 3, 2)
    for x in _layouts(make, 5, 6):
        yield call(x, 0, 2, 1)
        yield call(x, -1, 3, 3)
    yield call(make(3, 4), 1, 0, 1)


def bad_unfold(make: Maker) -> Calls:
    yield call(make(2, 3), 1, 4, 1)
    yield call(make(2, 3), 1, 2, 0)
    yield call(make(2, 3), 1, -1, 1)
    yield call(make(2, 3), 2, 1, 1)
    yield call(make(), 0, 2, 1)


def diagonal(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x)
        yield call(x, 1)
        yield call(x, -2)
        yield call(x, 5)
    yield call(make(2, 3, 4), 1, -1, 0)
    yield call(make(2, 3, 4), -1, 2, 1)


def bad_diagonal(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 0, 0)
    yield call(make(2, 3), 0, 1, -1)
    yield call(make(3))


# -- splits -------------------------------------------------------------------------------------


def split(make: Maker) -> Calls:
    for x in _layouts(make, 5, 4):
        yield call(x, 2)
        yield call(x, 3, -1)
    yield call(make(5), 9)
    yield call(make(0, 2), 0)
    yield call(make(0, 2), 3)


def bad_split(make: Maker) -> Calls:
    yield call(make(2, 3), 0)
    yield call(make(2, 3), -1)
    yield call(make(), 1)
    yield call(make(2, 3), 1, 3)


def split_sizes(make: Maker) -> Calls:
    for x in _layouts(make, 5, 4):
        yield call(x, (2, 0, 3))
        yield call(x, (1, 3), -1)


def bad_split_sizes(make: Maker) -> Calls:
    yield call(make(2, 3), (1, 2))
    yield call(make(2, 3), (-1, 3))
    yield call(make(), (1,))


def dim(make: Maker) -> Calls:
    for x in _layouts(make, 2, 3, 4):
        yield call(x)
        yield call(x, -1)
    yield call(make(3, 0), 0)


def bad_dim(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 3), 2)


def chunk(make: Maker) -> Calls:
    yield call(make(5, 4), 2)
    yield call(make(5, 4), 3, -1)
    yield call(make(5), 9)
    yield call(make(0, 2), 3)


def bad_chunk(make: Maker) -> Calls:
    yield call(make(2, 3), 0)
    yield call(make(), 1)
    yield call(make(2, 3), -1)


def tensor_split_indices(make: Maker) -> Calls:
    yield call(make(5, 4), (1, 3))
    yield call(make(5, 4), (3, 1, 9), 1)
    yield call(make(5, 4), (), 1)


def hsplit(make: Maker) -> Calls:
    yield call(make(4), 2)
    yield call(make(3, 4), 2)


def bad_hsplit(make: Maker) -> Calls:
    yield call(make(), 1)
    yield call(make(2, 3), 2)


def vsplit(make: Maker) -> Calls:
    yield call(make(4, 3), 2)


def bad_vsplit(make: Maker) -> Calls:
    yield call(make(3), 1)
    yield call(make(2, 3), 3)


def dsplit(make: Maker) -> Calls:
    yield call(make(2, 2, 4), 2)


def bad_dsplit(make: Maker) -> Calls:
    yield call(make(2, 3), 1)
    yield call(make(1, 1, 3), 2)


# -- elements at other places -------------------------------------------------------------------


def clone(make: Maker) -> Calls:
    yield from unary_view(make)
    for x in _layouts(make, 2, 3, 4):
        yield call(x, memory_format=make.torch.contiguous_format)
    yield call(make(2, 3).expand(4, 2, 3))
    yield call(make(2, 3, 4, 5), memory_format=make.torch.channels_last)


def bad_clone(make: Maker) -> Calls:
    yield call(make(2, 3), memory_format=make.torch.channels_last)


def flip(make: Maker) -> Calls:
    yield call(make(), ())
    for x in _layouts(make, 2, 3, 4):
        yield call(x, (0,))
        yield call(x, (-1, 0))
        yield call(x, ())


def bad_flip(make: Maker) -> Calls:
    yield call(make(2, 3), (0, 0))
    yield call(make(2, 3), (2,))


def roll(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, 2)
        yield call(x, -1, 0)
        yield call(x, (1, 5), (0, -1))
    yield call(make(0, 3), 1, 0)


def bad_roll(make: Maker) -> Calls:
    yield call(make(2, 3), (1,), (0, 1))
    yield call(make(2, 3), (1, 2), ())
    yield call(make(2, 3), (), ())
    yield call(make(2, 3), (1,), (3,))


def rot90(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4, 2):
        for k in (-1, 0, 1, 2, 3, 5):
            yield call(x, k)
        yield call(x, 1, (2, 0))


def bad_rot90(make: Maker) -> Calls:
    yield call(make(2, 3), 1, (0,))
    yield call(make(2, 3), 1, (0, 0))
    yield call(make(2, 3), 1, (0, 3))
    yield call(make(2, 3), 1, (0, -2))
    yield call(make(2))


def repeat(make: Maker) -> Calls:
    yield call(make(), ())
    yield call(make(), (3,))
    yield call(make(2, 3), (2, 1))
    yield call(make(2, 3, noncontiguous=True), (2, 3, 1))
    yield call(make(2, 3), (0, 2))
    yield call(make(1, 3), (4, 2, 2))


def bad_repeat(make: Maker) -> Calls:
    yield call(make(2, 3), (2,))
    yield call(make(2, 3), (-1, 2))


def tile(make: Maker) -> Calls:
    yield call(make(2, 3), (2,))
    yield call(make(2, 3), (2, 1, 2))
    yield call(make(2, 3), ())


def repeats(make: Maker) -> Calls:
    yield call(make(values=[2, 0, 3], dtype="int64"))
    yield call(make(values=[2, 0, 3], dtype="int32"), output_size=5)


def bad_repeats(make: Maker) -> Calls:
    yield call(make(values=[[2, 1]], dtype="int64"))
    yield call(make(values=[2, -1], dtype="int64"))
    yield call(make(values=[2, 1], dtype="int64"), output_size=4)


def repeat_interleave_tensor(make: Maker) -> Calls:
    two = make(values=[2, 1], dtype="int64")
    yield call(make(2, 3), two, 0)
    yield call(make(3, 2), two, -1)
    yield call(make(2), two)
    yield call(make(2, 3), make(values=2, dtype="int64"))


def bad_repeat_interleave_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), make(values=[1, 2, 3], dtype="int64"), 0)
    yield call(make(2, 3), make(values=[1, -2], dtype="int64"), 0)
    yield call(make(2, 3), make(values=[[1, 2]], dtype="int64"), 0)


def repeat_interleave_int(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(2, 3), 2, 0)
    yield call(make(2, 3), 3, -1)
    yield call(make(2, 3), 0, 1)


def bad_repeat_interleave_int(make: Maker) -> Calls:
    yield call(make(2, 3), -1)
    yield call(make(2, 3), 2, 3)


def constant_pad(make: Maker) -> Calls:
    one = 1 if make.kind != "float" else 1.5
    yield call(make(2, 3), (1, 2))
    yield call(make(2, 3), (1, 2, 0, 1), one)
    yield call(make(2, 4), (-1, 2))
    yield call(make(2, 4), (-1, -2), one)
    yield call(make(4, 2, noncontiguous=True), (0, 0, 1, 1))
    yield call(make(2, 3), ())


def bad_constant_pad(make: Maker) -> Calls:
    yield call(make(2, 3), (1,))
    yield call(make(2, 3), (1, 1, 1, 1, 1, 1))
    yield call(make(2, 3), (-2, -2))


def select_backward(make: Maker) -> Calls:
    yield call(make(3, 4), (2, 3, 4), 0, 1)
    yield call(make(2, 4), (2, 3, 4), 1, -1)
    yield call(make(2, 3), (2, 3, 4), -1, 2)


def slice_backward(make: Maker) -> Calls:
    yield call(make(2, 4), (5, 4), 0, 1, 3, 1)
    yield call(make(5, 2), (5, 4), 1, 0, 9223372036854775807, 2)


def diagonal_backward(make: Maker) -> Calls:
    yield call(make(3), (3, 4), 0, 0, 1)
    yield call(make(3, 2), (3, 3, 4), -1, 0, 2)


def unfold_backward(make: Maker) -> Calls:
    yield call(make(3, 3), (7,), 0, 3, 2)
    yield call(make(2, 4, 3), (2, 6), 1, 3, 1)


def slice_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(2, 5), 0, 1, 3)
    yield call(make(4, 5), make(4, 3), 1, None, None, 2)


def bad_slice_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(2, 4), 0, 1, 3)


def select_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(5), 0, 1)
    yield call(make(5, 4).t(), make(4), -1, -2)


def bad_select_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(4), 0, 1)


def diagonal_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(4))
    yield call(make(2, 3, 4), make(3, 2), 1, 0, 2)


def bad_diagonal_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(3))


# -- index tensors and masks --------------------------------------------------------------------


def _long(make: Maker, values: Any) -> Any:
    return make(values=values, dtype="int64")


def _mask(make: Maker, *shape: int) -> Any:
    return make(*shape, dtype="bool")


def index(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4, 5):
        yield call(x, [_long(make, [0, 2])])
        yield call(x, [_long(make, [[0, -1], [2, 1]])])
        yield call(x, [None, _long(make, [3, 0, 3])])
        yield call(x, [None, None, _long(make, [3, 0, -3])])
        yield call(x, [_long(make, [0, 2]), _long(make, [1, 3])])
        yield call(x, [_long(make, [0, 2]), None, _long(make, [1, 3])])
        yield call(x, [None, _long(make, [[0], [2]]), _long(make, [1, 3])])
        yield call(x, [_mask(make, 3)])
        yield call(x, [_mask(make, 3, 4)])
        yield call(x, [None, _mask(make, 4, 5)])
        yield call(x, [_long(make, 1)])
        yield call(x, [_long(make, 1), None, _long(make, 2)])
    yield call(make(4), [_mask(make, 4)])
    yield call(make(4), [make(values=[0, 3, 3], dtype="int32")])
    yield call(make(0, 3), [_long(make, []).reshape(0)])
    yield call(make(3, 4), [None, _mask(make, 4)])


def bad_index(make: Maker) -> Calls:
    x = make(2, 3)
    one = _long(make, [0])
    yield call(x, [one, one, one])
    yield call(x, [_long(make, [2])])
    yield call(x, [_long(make, [-3])])
    yield call(x, [None, _long(make, [3])])
    yield call(x, [make(values=[0.0], dtype="float32")])
    yield call(x, [make(values=[0], dtype="int16")])
    yield call(x, [make(values=[True, False, True], dtype="bool")])
    yield call(x, [make(values=[[True, False]], dtype="bool")])
    yield call(x, [_long(make, [0, 1]), _long(make, [0, 1, 2])])
    yield call(x, [])
    yield call(make(), [one])
    yield call(make(0, 3), [one])


def index_put(make: Maker) -> Calls:
    for accumulate in (False, True):
        for x in _layouts(make, 3, 4):
            yield call(x, [_long(make, [0, 2])], make(2, 4), accumulate)
            yield call(x, [None, _long(make, [3, 0, 1])], make(3, 3), accumulate)
            yield call(x, [_long(make, [0, 2]), _long(make, [1, 3])], make(2), accumulate)
            yield call(x, [make(values=[True, False, True], dtype="bool")], make(4), accumulate)
            yield call(x, [_mask(make, 3, 4)], make(), accumulate)
    yield call(make(5, 3), [_long(make, [0, 2, 0, -5])], make(4, 3), True)
    many = _long(make, [(7 * i) % 5 for i in range(50)])
    yield call(make(5, 3), [many], make(50, 3), True)


def bad_index_put(make: Maker) -> Calls:
    x = make(2, 3)
    one = _long(make, [0])
    yield call(x, [_long(make, [2])], make())
    yield call(x, [one], make(2))
    yield call(x, [one], make(dtype="complex64"))
    yield call(x, [one, one, one], make())
    yield call(x, [one], make(2, 1, 3))


def index_select(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, 0, _long(make, [0, 2, 0]))
        yield call(x, -1, _long(make, [3]))
    yield call(make(3, 4), 0, _long(make, 1))
    yield call(make(3, 4), 1, _long(make, []))
    yield call(make(), 0, _long(make, [0]))
    yield call(make(3), 0, make(values=[1, 1], dtype="int32"))


def bad_index_select(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, _long(make, [2]))
    yield call(x, 0, _long(make, [-1]))
    yield call(x, 3, _long(make, [0]))
    yield call(x, 0, _long(make, [[0]]))
    yield call(x, 0, make(values=[0.0], dtype="float32"))
    yield call(make(), 0, _long(make, [0, 0]))
    yield call(make(), 0, _long(make, [1]))


def index_add(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, 0, _long(make, [0, 2, 0]), make(3, 4))
        yield call(x, -1, _long(make, [3, 1]), make(3, 2))
    if make.kind != "bool":
        yield call(make(3, 4), 0, _long(make, [1]), make(1, 4), alpha=2)
    yield call(make(), 0, _long(make, [0]), make())
    many = _long(make, [(7 * i) % 5 for i in range(40)])
    yield call(make(5, 3), 0, many, make(40, 3))


def bad_index_add(make: Maker) -> Calls:
    x = make(2, 3)
    one = _long(make, [0])
    yield call(x, 0, one, make(2, 3))
    yield call(x, 0, _long(make, [2]), make(1, 3))
    yield call(x, 0, _long(make, [-1]), make(1, 3))
    yield call(x, 0, one, make(1, 2))
    yield call(x, 0, _long(make, [[0]]), make(1, 3))
    yield call(x, 0, make(values=[0.0], dtype="float32"), make(1, 3))
    yield call(x, 0, one, make(1, 3, dtype="complex64"))
    yield call(x, 4, one, x)


def index_copy(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, 0, _long(make, [0, 2]), make(2, 4))
        yield call(x, -1, _long(make, [3, 1]), make(3, 2))
    yield call(make(), 0, _long(make, [0]), make())


def bad_index_copy(make: Maker) -> Calls:
    x = make(2, 3)
    one = _long(make, [0])
    yield call(x, 0, one, make(2, 3))
    yield call(x, 0, _long(make, [2]), make(1, 3))
    yield call(x, 0, one, make(1, 2))
    yield call(x, 0, _long(make, [[0]]), make(1, 3))
    yield call(x, 0, make(values=[0.0], dtype="float32"), make(1, 3))
    yield call(x, 0, one, make(1, 3, dtype="complex64"))
    yield call(x, 0, one, make(3))
    yield call(x, 0, one, make())
    yield call(x, 0, _long(make, [0, 1]), make())


def index_fill(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, 0, _long(make, [0, 2]), 1)
        yield call(x, -1, _long(make, [-1]), 1)
    yield call(make(3, 4), 1, _long(make, 1), True)


def bad_index_fill(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, _long(make, [2]), 1)
    yield call(x, 0, _long(make, [-3]), 1)
    yield call(x, 0, make(values=[0.0], dtype="float32"), 1)
    yield call(x, 0, _long(make, [[0]]), 1)
    yield call(x, 3, _long(make, [0]), 1)
    yield call(x, 0, _long(make, [0]), 1j)


def index_fill_tensor(make: Maker) -> Calls:
    yield call(make(3, 4), 0, _long(make, [0, 2]), make())


def bad_index_fill_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), 0, _long(make, [0]), make(2))


def masked_fill(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, _mask(make, 3, 4), 1)
        yield call(x, _mask(make, 4), 0)
    yield call(make(3, 1), _mask(make, 3, 4), True)
    yield call(make(3), _mask(make, 2, 3), 1)
    yield call(make(), _mask(make), 1)


def bad_masked_fill(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, make(2, 3, dtype="int64"), 1)
    yield call(x, make(2, 3, dtype="uint8"), 1)
    yield call(x, _mask(make, 2, 2), 1)
    yield call(x, _mask(make, 2, 3), 1j)


def masked_fill_tensor(make: Maker) -> Calls:
    yield call(make(3, 4), _mask(make, 3, 4), make())
    yield call(make(3, 1), _mask(make, 4), make())


def bad_masked_fill_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), _mask(make, 2, 3), make(2))


def masked_select(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, _mask(make, 3, 4))
    yield call(make(3, 1), _mask(make, 4))
    yield call(make(), _mask(make, 2))


def bad_masked_select(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 3, dtype="int64"))
    yield call(make(2, 3), _mask(make, 2, 2))


def masked_scatter(make: Maker) -> Calls:
    yield call(make(3, 4), _mask(make, 3, 4), make(12))
    yield call(make(3, 4), _mask(make, 4), make(3, 5))
    yield call(make(4), _mask(make, 3, 4), make(3, 4))


def bad_masked_scatter(make: Maker) -> Calls:
    x = make(2, 3)
    every = make(values=[[True] * 3] * 2, dtype="bool")
    yield call(x, every, make(2))
    yield call(x, every, make(2, 3, dtype="complex64"))
    yield call(x, make(2, 3, dtype="int64"), x)
    yield call(x, _mask(make, 2, 2), x)


def nonzero(make: Maker) -> Calls:
    yield call(make())
    yield call(make(0, 3))
    for x in _layouts(make, 3, 4):
        yield call(x)


# -- one index per element ----------------------------------------------------------------------


def gather(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, 0, _long(make, [[0, 2, 1, 0], [1, 1, 0, 2]]))
        yield call(x, -1, _long(make, [[3], [0]]))
    yield call(make(3, 4), 0, _long(make, [[0], [0], [0], [1], [2]]))
    yield call(make(), 0, _long(make, 0))
    yield call(make(), 0, _long(make, [0]))
    yield call(make(3), 0, make(values=[1, 1], dtype="int32"))


def bad_gather(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, _long(make, [0]))
    yield call(x, 0, _long(make, [[2]]))
    yield call(x, 0, _long(make, [[-1]]))
    yield call(x, 0, make(values=[[0.0]], dtype="float32"))
    yield call(x, 0, make(values=[[0]], dtype="int16"))
    yield call(x, 0, _long(make, [[0, 0, 0, 0]]))
    yield call(x, 3, _long(make, [[0]]))


def scatter_src(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, 0, _long(make, [[0, 2, 1, 0], [1, 1, 0, 2]]), make(2, 4))
        yield call(x, -1, _long(make, [[3], [0]]), make(3, 4, grad=False))
        yield call(x, -1, _long(make, [[3], [0]]), make(2, 1))
    yield call(make(), 0, _long(make, 0), make())
    yield call(make(3), 0, make(values=[], dtype="int64"), make(3, grad=False))


def bad_scatter_src(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, _long(make, [[0]]), make(2, 3, dtype="complex64"))
    yield call(x, 0, _long(make, [[2]]), x)
    yield call(x, 0, make(values=[[0.0]], dtype="float32"), x)
    yield call(x, 0, _long(make, [0]), x)
    yield call(x, 0, _long(make, [[0, 0, 0]] * 3), x)
    yield call(x, 0, _long(make, [[0, 0, 0, 0]]), make(1, 4))
    yield call(x, 4, _long(make, [[0]]), x)


def scatter_value(make: Maker) -> Calls:
    yield call(make(3, 4), 0, _long(make, [[0, 2, 1, 0]]), 1)
    yield call(make(4, 3).t(), 1, _long(make, [[0], [2]]), 0)


def bad_scatter_value(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, _long(make, [[2]]), 1)
    yield call(x, 4, _long(make, [[0]]), 1)
    yield call(x, 0, _long(make, [[0]]), 1j)


def scatter_reduce(make: Maker) -> Calls:
    for kind in ("add", "multiply"):
        yield call(
            make(3, 4), 0, _long(make, [[0, 0, 1, 2], [0, 2, 1, 1]]), make(2, 4), reduce=kind
        )


def bad_scatter_reduce(make: Maker) -> Calls:
    yield call(make(2, 3), 0, _long(make, [[0]]), make(2, 3), reduce="foo")


def scatter_value_reduce(make: Maker) -> Calls:
    yield call(make(3, 4), 0, _long(make, [[0, 2, 1, 0]]), 2, reduce="add")
    yield call(make(3, 4), 1, _long(make, [[0, 2, 1, 0]]), 2, reduce="multiply")


def scatter_reduce_two(make: Maker) -> Calls:
    where = _long(make, [[0, 0, 1, 2], [0, 2, 1, 1]])
    kinds = (
        ["sum", "prod", "mean"]
        if make.kind == "complex"
        else ["sum", "prod", "mean", "amax", "amin"]
    )
    for kind in kinds:
        for include in (True, False):
            yield call(make(3, 4), 0, where, make(2, 4), kind, include_self=include)
            yield call(
                make(3, 4), 0, where, make(2, 4, noncontiguous=True), kind, include_self=include
            )


def bad_scatter_reduce_two(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, _long(make, [[0]]), x, "foo")
    yield call(x, 0, _long(make, [[0]]), make(2, 3, dtype="complex64"), "sum")
    yield call(x, 0, _long(make, [[9]]), x, "sum")


def take(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, _long(make, [[0, 11], [-1, 5]]))
    yield call(make(), _long(make, 0))


def bad_take(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, _long(make, [6]))
    yield call(x, _long(make, [-7]))
    yield call(x, make(values=[0.0], dtype="float32"))
    yield call(make(0, 3), _long(make, [0]))


def put(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        yield call(x, _long(make, [0, 11, -2]), make(3))
        yield call(x, _long(make, [[0, 1, 0]]), make(3), True)


def bad_put(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, _long(make, [6]), make(1))
    yield call(x, _long(make, [0]), make(2))
    yield call(x, make(values=[0.0], dtype="float32"), make(1))
    yield call(x, _long(make, [0]), make(1, dtype="complex64"))


def take_along_dim(make: Maker) -> Calls:
    yield call(make(3, 4), _long(make, [[0, 2, 1, 0]]), 0)
    yield call(make(3, 4), _long(make, [[1], [0], [3]]), 1)
    yield call(make(1, 4), _long(make, [[1], [0], [3]]), 1)
    yield call(make(3, 4), _long(make, [[1], [0], [11]]))


def bad_take_along_dim(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, _long(make, [0]), 0)
    yield call(x, make(values=[[0.0]], dtype="float32"), 0)
    yield call(x, _long(make, [[0]]), 5)


def tril(make: Maker) -> Calls:
    for x in _layouts(make, 3, 4):
        for diagonal in (-1, 0, 2):
            yield call(x, diagonal)
    yield call(make(2, 3, 3))
    yield call(make(0, 3))


def bad_tril(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make())


def diag_embed(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(2, 3), 1)
    yield call(make(2, 3), -1, 0, 2)


def bad_diag_embed(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 3), 0, 0, 0)
    yield call(make(2, 3), 0, 0, 5)


def diag(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3), -1)
    yield call(make(3, 4))
    yield call(make(3, 4), 2)


def bad_diag(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 2, 2))


def diagflat(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 2), 1)


# -- joining ------------------------------------------------------------------------------------


def cat(make: Maker) -> Calls:
    yield call([make(2, 3), make(1, 3)])
    yield call([make(2, 3), make(2, 1), make(2, 0)], 1)
    yield call([make(3, 2).t(), make(2, 3, noncontiguous=True)], -1)
    yield call([make(2), make(0), make(3)])
    yield call([make(2, 3), make(values=[], dtype="float32")])
    yield call([make(2, 3), make(2, 3, dtype="int32")])
    yield call([make(2, 3, dtype="uint8"), make(2, 3)])
    yield call([make(2, 3, 4).permute(2, 0, 1), make(2, 3, 4).permute(2, 0, 1)], 1)


def bad_cat(make: Maker) -> Calls:
    x = make(2, 3)
    yield call([])
    yield call([make(), make()])
    yield call([x, make(2, 4)])
    yield call([x, make(2, 3, 1)])
    yield call([x, x], 2)
    yield call([x, make(3, 4)], 1)


def stack(make: Maker) -> Calls:
    yield call([make(), make()])
    for dim in (-1, 0, 1, 2):
        yield call([make(2, 3), make(3, 2).t()], dim)
    yield call([make(2), make(2, dtype="int64")])


def bad_stack(make: Maker) -> Calls:
    yield call([])
    yield call([make(2, 3), make(3)])
    yield call([make(2, 3), make(2, 3)], 4)


def stacks(make: Maker) -> Calls:
    yield call([make(3), make(3)])
    yield call([make(2, 3), make(2, 3)])
    yield call([make(), make()])
    yield call([make(2, 3, 4), make(2, 3, 4)])


def bad_stacks(make: Maker) -> Calls:
    yield call([])


def meshgrid(make: Maker) -> Calls:
    yield call([make(2), make(3)])
    yield call([make(2), make(), make(3)])


def meshgrid_indexing(make: Maker) -> Calls:
    yield call([make(2), make(3)], indexing="ij")
    yield call([make(2), make(3), make(4)], indexing="xy")


def bad_meshgrid_indexing(make: Maker) -> Calls:
    yield call([make(2), make(3)], indexing="xx")
    yield call([make(2), make(3, dtype="complex64")], indexing="ij")


# -- order --------------------------------------------------------------------------------------


def _orderable(make: Maker) -> list[Any]:
    out = [make(), make(5), make(3, 4), make(4, 3).t(), make(3, 4, noncontiguous=True)]
    out.append(make(values=[[2, 1, 2, 1, 0], [1, 1, 1, 0, 0]]))
    if make.kind == "float":
        nan = float("nan")
        out.append(make(values=[[1.0, nan, 0.0, 2.0], [nan, 3.0, 3.0, nan]]))
    return out


def sort(make: Maker) -> Calls:
    for x in _orderable(make):
        yield call(x)
        yield call(x, 0, True)
    yield call(make(0, 3), 0)


def bad_sort(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(2, dtype="complex64"))


def sort_stable(make: Maker) -> Calls:
    for x in _orderable(make):
        yield call(x, stable=True)
        yield call(x, stable=True, dim=0, descending=True)


def msort(make: Maker) -> Calls:
    yield call(make(4, 3))
    yield call(make())


def topk(make: Maker) -> Calls:
    yield call(make(), 1)
    yield call(make(values=[[5, 1, 4, 3], [2, 8, 6, 7]]), 2)
    yield call(make(values=[[5, 1, 4, 3], [2, 8, 6, 7]]), 3, 1, False)
    yield call(make(values=[[5, 1], [2, 8], [4, 3]]), 2, 0)
    yield call(make(2, 3), 0)
    if make.kind == "float" and make.dtype in ("float32", "float64"):
        yield call(make(3, 700), 5)
        yield call(make(700, 2), 5, 0, False)
        yield call(make(values=[1.0, float("nan"), 3.0, 2.0]), 2)


def bad_topk(make: Maker) -> Calls:
    yield call(make(2, 3), 4)
    yield call(make(2, 3), -1)
    yield call(make(2, 3), 1, 3)
    yield call(make(2, dtype="complex64"), 1)
    yield call(make(2, dtype="bool"), 1)


def kthvalue(make: Maker) -> Calls:
    yield call(make(), 1)
    yield call(make(values=[[5, 1, 4, 3], [2, 8, 6, 7]]), 2)
    yield call(make(values=[[5, 1], [2, 8], [4, 3]]), 3, 0, True)


def bad_kthvalue(make: Maker) -> Calls:
    yield call(make(2, 3), 0)
    yield call(make(2, 3), 4)
    yield call(make(2, 3), 1, 4)
    yield call(make(2, dtype="bool"), 1)
    yield call(make(0, 3), 1, 0)


def unique(make: Maker) -> Calls:
    x = make(values=[[2, 1, 2], [3, 1, 0]])
    yield call(x)
    yield call(x, True, True, True)
    yield call(x.t(), True, True)
    if make.kind == "float":
        yield call(make(values=[1.0, float("nan"), 1.0, float("nan")]), True, True, True)


def unique_dim(make: Maker) -> Calls:
    x = make(values=[[2, 1, 2], [3, 1, 3], [2, 1, 2]])
    yield call(x, 0, True, True, True)
    yield call(x, 1, True, True, True)


def bad_unique_dim(make: Maker) -> Calls:
    yield call(make(2, 3), 3)
    yield call(make(), 0)
    yield call(make(0, 0), 0)


def unique_consecutive(make: Maker) -> Calls:
    x = make(values=[[1, 1, 2], [1, 1, 2], [2, 0, 0]])
    yield call(x)
    yield call(x, True, True)
    yield call(x, True, True, 0)
    yield call(x, True, True, 1)


def bad_unique_consecutive(make: Maker) -> Calls:
    yield call(make(2, 3), dim=3)


def searchsorted_tensor(make: Maker) -> Calls:
    bounds = make(values=[1, 3, 5, 7])
    yield call(bounds, make(values=[[0, 3, 9], [5, 6, 1]]))
    yield call(bounds, make(values=[3, 5]), right=True)
    yield call(bounds, make(values=[3, 5]), side="right", out_int32=True)
    yield call(make(values=[[1, 3, 5], [0, 2, 4]]), make(values=[[3, 4], [2, 9]]))
    yield call(make(values=[5, 1, 3]), make(values=[2, 3]), sorter=_long(make, [1, 2, 0]))


def bad_searchsorted_tensor(make: Maker) -> Calls:
    x, v = make(2, 3), make(3)
    yield call(x, v)
    yield call(x, make(3, 2))
    yield call(v, v, side="foo")
    yield call(v, v, right=True, side="left")
    yield call(v, v, sorter=_long(make, [0]))
    yield call(v, v, sorter=make(3, dtype="float32"))
    yield call(make(), v)
    yield call(v, v, sorter=_long(make, [0, 1, 5]))


def searchsorted_scalar(make: Maker) -> Calls:
    yield call(make(values=[1, 3, 5, 7]), 4)
    yield call(make(values=[1, 3, 5, 7]), 5, right=True)


def bad_searchsorted_scalar(make: Maker) -> Calls:
    yield call(make(2, 3), 1)


def bucketize_tensor(make: Maker) -> Calls:
    yield call(make(values=[[0, 3, 9], [5, 6, 1]]), make(values=[1, 3, 5, 7]))
    yield call(make(values=[0, 3, 9]), make(values=[1, 3, 5, 7]), right=True, out_int32=True)


def bad_bucketize_tensor(make: Maker) -> Calls:
    yield call(make(3), make(2, 3))
    yield call(make(3), make())


def bucketize_scalar(make: Maker) -> Calls:
    yield call(4, make(values=[1, 3, 5, 7]))


def histc(make: Maker) -> Calls:
    yield call(make(20), 4)
    yield call(make(20), 5, -1, 1)
    yield call(make(values=[1.0, 1.0]), 3)


def bad_histc(make: Maker) -> Calls:
    x = make(2, 3, dtype="float32")
    yield call(x, 0)
    yield call(x, 3, 2, 1)
    yield call(make(2, 3, dtype="int64"))


def bincount(make: Maker) -> Calls:
    x = _long(make, [1, 0, 3, 1])
    yield call(x)
    yield call(x, None, 6)
    if make.kind != "complex":
        yield call(x, make(4))
    yield call(_long(make, []))


def bad_bincount(make: Maker) -> Calls:
    yield call(make(3, dtype="float32"))
    yield call(_long(make, [[1]]))
    yield call(_long(make, [-1]))
    yield call(_long(make, [1]), make(3))
    yield call(_long(make, [1]), None, -1)
