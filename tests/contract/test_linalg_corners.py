"""Linear algebra and Fourier transforms of nothing, and of dimensions that are not there."""

import mindtorch
import pytest
import torch

from tests.contract.both_frameworks import same
from tests.contract.helpers import assert_same_value, both

OF_NOTHING = {
    "linalg.inv": ["t.zeros(0, 3, 3)"],
    "linalg.svdvals": ["t.zeros(0, 0, 2)"],
    "linalg.solve": ["t.zeros(0, 0)", "t.zeros(0)"],
    "linalg.cholesky": ["t.zeros(2, 0, 0)"],
    "linalg.solve_triangular": ["t.zeros(0, 3, 3)", "t.zeros(0, 3, 2)", "upper=True"],
    "linalg.pinv": ["t.zeros(0, 3, 2)"],
    "linalg.matrix_power": ["t.zeros(0, 2, 2)", "2"],
    "bmm": ["t.zeros(0, 3, 2)", "t.zeros(0, 2, 3)"],
    "add": ["t.zeros(0, 3)", "1"],
}


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("name", OF_NOTHING)
@pytest.mark.parametrize("size", [(0,), (3,), (2, 2), (0, 3, 3)])
def test_a_target_of_nothing_stays_in_its_memory(name, size):
    def program(t):
        target = t.empty(size)
        memory = target.untyped_storage().data_ptr()
        eval(f"t.{name}({', '.join(OF_NOTHING[name])}, out=target)", {"t": t, "target": target})
        whose = target.untyped_storage()
        kept = whose.data_ptr() == memory
        return target.shape, target.stride(), target.storage_offset(), whose.nbytes(), kept

    assert_same_value(*both(program))


CALLS = [
    *(
        f"t.linalg.{norm}(t.zeros({shape}), {order}, {dim})"
        for norm in ("vector_norm", "norm")
        for shape in ((2, 0), (0, 2, 0))
        for order in ("float('inf')", "-1", "2")
        for dim in (-1, 1, 0, (-2, -1), (0, -1), None)
    ),
    *(f"t.fft.{name}({n})" for name in ("fftfreq", "rfftfreq") for n in (-3, -2, -1, 1, 4)),
    *(
        f"t.fft.{name}(t.ones({shape}), {dim})"
        for name in ("fftshift", "ifftshift")
        for shape in ((), (3,), (2, 0))
        for dim in (None, 0, -1, 1, (0, 1), 5)
    ),
]


@pytest.mark.parametrize("call", CALLS)
def test_dimensions_are_named_as_they_were_given(call):
    same(lambda t: eval(call, {"t": t}))


DTYPES = ("float32", "float64", "complex64", "bfloat16", "int64")


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_right_hand_sides_are_copied_into_the_dtype_of_the_triangle(dtype, device):
    """Whatever their own is: autocast hands over such pairs in a backward."""

    def solved(t, other, left, by_columns):
        a = t.eye(2, dtype=getattr(t, dtype), device=device) * 2
        b = t.tensor([[1, 2], [3, 4]], dtype=getattr(t, other), device=device)
        b = b.mT.clone().mT if by_columns else b
        x = t.linalg.solve_triangular(a, b, upper=True, left=left)
        return x.dtype, x.stride(), "" if device == "meta" else x.tolist()

    others = [d for d in DTYPES if dtype == "complex64" or d != "complex64"]  # those warn
    for other in others:
        for left in (True, False):
            for by_columns in (True, False):
                same(lambda t: str(solved(t, other, left, by_columns)))


def test_pivots_that_name_no_rows_are_refused():
    """By what unpacks factors, and, where they are too large, by what solves with them."""

    def said(t, call, pivots):
        a = t.tensor([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]])
        p = t.tensor(pivots, dtype=t.int32)
        try:
            return str(eval(call, {"t": t, "a": a, "p": p})).replace("mindtorch", "torch")
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    calls = ("t.lu_unpack(a, p)", "t.lu_unpack(a, p, unpack_pivots=False)")
    solved = "t.linalg.lu_solve(a, p, t.ones(3, 1))"
    for pivots in ([1, 2, 9], [0, 2, 3], [-1, 2, 3], [4, 2, 3], [3, 3, 3]):
        for call in (*calls, solved) if min(pivots) > 0 else calls:
            assert said(mindtorch, call, pivots) == said(torch, call, pivots), (call, pivots)


def test_norms_of_matrices_say_what_dtypes_they_cannot_have():
    """In the words of ``linalg.matrix_norm``, for each order, as ``norm`` of two dims does."""
    dtypes = ("float16", "float32", "float64", "complex64", "int32")

    def said(t, name, own, asked, order):
        x = t.ones(2, 2, dtype=getattr(t, own))
        norm = t.norm if name == "norm" else getattr(t.linalg, name)
        try:
            made = norm(x, order, dtype=getattr(t, asked))
            return made.shape, str(made.dtype).partition(".")[2]
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    for name in ("matrix_norm", "norm"):
        for own in dtypes:
            for asked in (*dtypes, "bool"):
                for order in ("fro", "nuc", 1, 2, -1, float("inf")):
                    call = (name, own, asked, order)
                    assert said(mindtorch, *call) == said(torch, *call), call
