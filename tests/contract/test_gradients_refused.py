"""Gradients that do not fit the result of a convolution or an embedding, as torch refuses them."""

import importlib

import pytest
import torch

ours = importlib.import_module("mindtorch")


def outcome(call, t):
    try:
        results = call(t)
    except (RuntimeError, IndexError) as error:
        return type(error).__name__, str(error)
    return [r.tolist() for r in results]


@pytest.mark.parametrize("transposed", [False, True], ids=["plain", "transposed"])
@pytest.mark.parametrize("n", [2, 3])
def test_a_gradient_of_another_shape_than_the_convolution_is_refused(n, transposed):
    channels = (1, 2) if transposed else (2, 1)
    fits = (6,) * n if transposed else (1,) * n

    def call(shape):
        return lambda t: t.ops.aten.convolution_backward(
            t.ones(shape, dtype=t.float64),
            t.ones((1, 1, *(2 if transposed else 4,) * n), dtype=t.float64),
            t.ones((*channels, *(4,) * n), dtype=t.float64),
            *([2], [2], [0], [1], transposed, [0], 1, [True, True, True]),
        )

    for sizes in (fits, (2,) * n, (*fits[1:], 3), fits[1:], (*fits, 1)):
        for lead in ((1, 2), (1, 3), (2,)):
            shape = (*lead, *sizes)
            assert outcome(call(shape), ours) == outcome(call(shape), torch), shape


@pytest.mark.parametrize("padding", [-1, 1])
def test_rows_that_a_table_does_not_have_get_no_gradient(padding):
    for shape in ((2, 3), (3, 2), (3,), (6,), (), (1, 3, 2), (0, 2)):
        for rows in ([0, 1, 2], [[0, 1, 2]], [0, 9, 1], [0, -1, 1], []):

            def call(t, shape=shape, rows=rows):
                at = t.tensor(rows, dtype=t.int64)
                return [t.ops.aten.embedding_dense_backward(t.ones(shape), at, 4, padding, False)]

            assert outcome(call, ours) == outcome(call, torch), (shape, rows)
