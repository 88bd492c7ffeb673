"""The ops of the gradients of select, slice and diagonal: values and refusals as torch's."""

import importlib

import pytest
import torch

ours = importlib.import_module("mindtorch")

SIZES = ([3, 3], [3], [], [2, 3, 4], [0, 3])
SHAPES = [(3,), (2,), (3, 3), (1, 3), (1,), (), (2, 4), (3, 4), (2, 1, 4), (5, 2, 4), (0,)]
PLACES = {
    "select": ((0, 0), (1, -1), (-1, 5), (3, 0)),
    "slice": ((0, 0, 3, 1), (1, 1, 9, 2), (-1, -2, 5, 1), (3, 0, 1, 1), (0, 0, 2, 0)),
    "diagonal": ((0, 0, 1), (1, -1, 0), (-1, 0, 2), (0, 1, 1), (5, 0, 1)),
}


def outcome(t, name, shape, sizes, place):
    try:
        result = getattr(t.ops.aten, f"{name}_backward")(t.ones(shape), sizes, *place)
    except (RuntimeError, IndexError) as error:
        return type(error).__name__, str(error)
    return result.tolist(), result.stride()


@pytest.mark.parametrize("name", PLACES)
def test_a_gradient_is_put_in_its_place_or_refused(name):
    for sizes in SIZES:
        for shape in SHAPES:
            for place in PLACES[name]:
                args = (name, shape, sizes, place)
                assert outcome(ours, *args) == outcome(torch, *args), args
