"""Samples of covariance, quantiles, areas, slopes. See the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def cov(make: Maker) -> Calls:
    if make.kind == "bool":
        return
    yield call(make(3, 4))
    yield call(make(4))
    yield call(make(3, 4), correction=0)
    yield call(make(3, 5).t(), correction=2)
    if make.kind == "float":
        counts, weights = make(values=[1, 0, 2, 3], dtype="int64"), make(4, low=0.1, grad=False)
        yield call(make(3, 4), fweights=counts)
        yield call(make(3, 4), aweights=weights)
        yield call(make(4), correction=2, fweights=counts, aweights=weights)


def bad_cov(make: Maker) -> Calls:
    yield call(make(2, 3, 4))
    yield call(make(2, 3, dtype="bool"))
    yield call(make(2, 3), fweights=make(2, 3, dtype="int64"))
    yield call(make(2, 3), fweights=make(3))
    yield call(make(2, 3), fweights=make(2, dtype="int64", low=1))
    yield call(make(2, 3), fweights=make(values=[1, -1, 2], dtype="int64"))
    yield call(make(2, 3), aweights=make(values=[0, 0, 0], dtype="float32"))
    yield call(make(2, 3), aweights=make(3, dtype="int64"))


def corrcoef(make: Maker) -> Calls:
    if make.kind != "bool":
        yield call(make(3, 4))
        yield call(make(4))


def bad_corrcoef(make: Maker) -> Calls:
    yield call(make(2, 3, 4))


def quantile(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        x, nan = make(3, 4), float("nan")
        yield call(x, make(values=[0.2, 0.5, 1.0], grad=False))
        yield call(x, make(values=0.4, grad=False), 1, True)
        for mode in ("lower", "higher", "nearest", "midpoint"):
            yield call(make(5), make(values=[0.0, 0.3], grad=False), 0, interpolation=mode)
        holes = make(values=[[1.0, nan, 2.0, 0.5], [nan, nan, nan, nan], [3.0, 1.0, 2.0, 7.0]])
        yield call(holes, make(values=[0.25, 0.9], grad=False), 1)


def bad_quantile(make: Maker) -> Calls:
    yield call(make(0), make(values=0.5))
    yield call(make(3), make(1, 1, low=0, high=1))
    yield call(make(3, dtype="int64"), make(values=0.5))
    yield call(make(3), make(values=0.5, dtype="float64"))
    yield call(make(3), make(values=[0.5, 1.5]))
    yield call(make(3), make(values=0.5), interpolation="x")


def quantile_number(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4), 0.3)
        yield call(make(3, 4), 0.3, keepdim=True)
        yield call(make(3, 4), 0.7, 0)
        yield call(make(), 0.5)
        yield call(make(), 0.5, 0)


def bad_quantile_number(make: Maker) -> Calls:
    yield call(make(3), 1.5)
    yield call(make(3), 0.5, 2)


def trapezoid_x(make: Maker) -> Calls:
    if make.kind != "bool":
        yield call(make(3, 4), make(4))
        yield call(make(3, 4), make(3), dim=0)
        yield call(make(3, 4), make(3, 4))
        yield call(make(2, 3, 4), make(3, 4), dim=1)
        yield call(make(3, 0), make(0))


def bad_trapezoid_x(make: Maker) -> Calls:
    yield call(make(3, 4), make(3))
    yield call(make(3), make(3, dtype="bool"))
    yield call(make(3), make(3), dim=1)
    yield call(make(3, 4), make(2, 4))


def trapezoid_dx(make: Maker) -> Calls:
    if make.kind != "bool":
        yield call(make(3, 4))
        yield call(make(3, 4), dx=2.5, dim=0)
        yield call(make(3, 0))


def bad_trapezoid_dx(make: Maker) -> Calls:
    yield call(make())
    yield call(make(3, dtype="bool"))
    yield call(make(3), dx=1j)
    yield call(make(3), dim=1)


def gradient(make: Maker) -> Calls:
    if make.kind != "bool" and make.dtype != "uint8":
        yield call(make(3, 4))
        yield call(make(3, 4), spacing=2.5, edge_order=2)
        yield call(make(3, 4), dim=1)


def bad_gradient(make: Maker) -> Calls:
    yield call(make(3, dtype="uint8"))
    yield call(make(3), edge_order=3)
    yield call(make(2), edge_order=2)
    yield call(make(3), dim=1)


def gradient_of_dims(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), spacing=2.0, dim=(0, 1))


def bad_gradient_of_dims(make: Maker) -> Calls:
    yield call(make(3, 3), spacing=2.0, dim=(0, 0))


def gradient_of_dims_alone(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), dim=(-1, 0))


def gradient_by_spacings(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), spacing=[1.5, 2])


def bad_gradient_by_spacings(make: Maker) -> Calls:
    yield call(make(3, 4), spacing=[1.0])
    yield call(make(3, 4), spacing=[1.0, 2.0], dim=0)


def gradient_by_spacings_of_dims(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), spacing=[1.5], dim=(1,))


def gradient_by_places(make: Maker) -> Calls:
    if make.kind == "float":
        rows, columns = make(values=[0.0, 1.0, 3.0]), make(values=[-1.0, 0.5, 1.0, 3.0])
        yield call(make(3, 4), spacing=[rows, columns])
        yield call(make(3, 4), spacing=[rows], dim=0)


def bad_gradient_by_places(make: Maker) -> Calls:
    yield call(make(3), spacing=[make(3, 3)])
    yield call(make(3, 4), spacing=[make(3)])


def gradient_by_places_of_dims(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), spacing=[make(values=[-1.0, 0.5, 1.0, 3.0])], dim=(1,), edge_order=2)


def isin_tensor_tensor(make: Maker) -> Calls:
    if make.kind in ("float", "int"):
        some = make(values=[0, 2, 1], dtype=make.dtype)
        yield call(make(values=[[1, 2], [3, 2]]), some)
        yield call(make(values=[[1, 2], [3, 2]]).t(), some, invert=True)
        yield call(make(2, 0), some, assume_unique=True)
        yield call(make(values=[1, 2]), make(0))
        yield call(make(values=[1, 2]), make(values=[2.0, 1.5], dtype="float64"))
    if make.kind == "float":
        yield call(make(values=[float("nan"), 1]), make(values=[float("nan"), 1]))


def bad_isin_tensor_tensor(make: Maker) -> Calls:
    yield call(make(3, dtype="bool"), make(3))
    yield call(make(3), make(3, dtype="complex64"))


def isin_tensor_scalar(make: Maker) -> Calls:
    if make.kind in ("float", "int"):
        yield call(make(values=[[1, 2], [3, 2]]).t(), 2)
        yield call(make(values=[1, 2]), 1.5, invert=True)


def bad_isin_tensor_scalar(make: Maker) -> Calls:
    yield call(make(3), True)
    yield call(make(3), 1j)


def isin_scalar_tensor(make: Maker) -> Calls:
    if make.kind in ("float", "int"):
        yield call(2, make(values=[1, 2]))
        yield call(3, make(values=[1, 2]), invert=True)


def bad_isin_scalar_tensor(make: Maker) -> Calls:
    yield call(2, make(3, dtype="bool"))


def renorm(make: Maker) -> Calls:
    if make.kind in ("float", "complex"):
        yield call(make(3, 4), 2, 0, 1.5)
        yield call(make(3, 4), 1, -1, 2)
        yield call(make(2, 3, 4).transpose(0, 2), 3, 1, 1.0)


def bad_renorm(make: Maker) -> Calls:
    yield call(make(3), 2, 0, 1)
    yield call(make(3, 2), -1, 0, 1)
    yield call(make(3, 2), 1j, 0, 1)
    yield call(make(3, 2), 2, 0, -1)
    yield call(make(3, 2), 2, 0, 1j)
    yield call(make(3, 2), 2, 2, 1)


def cdist(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4), make(2, 4))
        for p in (0.0, 0.5, 1.0, 1.5, 3.0, float("inf")):
            yield call(make(3, 4), make(2, 4), p)
        yield call(make(2, 1, 3, 4), make(5, 2, 4), 3.0)
        yield call(make(2, 27, 3), make(4, 3))
        yield call(make(27, 3), make(4, 3).clone())
        yield call(make(0, 3), make(4, 3))
        yield call(make(2, 0), make(4, 0))


def bad_cdist(make: Maker) -> Calls:
    yield call(make(3), make(2, 3))
    yield call(make(2, 3), make(3))
    yield call(make(2, 3), make(2, 4))
    yield call(make(2, 3, dtype="int64"), make(2, 3))
    yield call(make(2, 3), make(2, 3, dtype="float64"))
    yield call(make(2, 3), make(2, 3), -1)
    yield call(make(2, 2, 3), make(3, 2, 3))
    yield call(make(2, 3, dtype="float16"), make(2, 3, dtype="float16"))
