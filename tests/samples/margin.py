"""Samples of losses with a margin, and of distances between vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]

_REDUCTIONS = (0, 1, 2)


def _signs(make: Maker, *values: int) -> Any:
    return make(values=list(values), grad=False)


def margin_ranking_loss(make: Maker) -> Calls:
    if make.kind == "float":
        target = _signs(make, 1, -1, 1)
        for reduction in _REDUCTIONS:
            yield call(make(3), make(3), target, 0.5, reduction)
        yield call(make(3), make(3), target)
        yield call(make(2, 3), make(2, 3), make(1, 3, grad=False))


def bad_margin_ranking_loss(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 4), make(3))


def hinge_embedding_loss(make: Maker) -> Calls:
    if make.kind == "float":
        target = _signs(make, 1, -1, 1)
        for reduction in _REDUCTIONS:
            yield call(make(2, 3), target, 0.5, reduction)
        yield call(make(3), target)


def bad_hinge_embedding_loss(make: Maker) -> Calls:
    yield call(make(2, 3), make(4))


def cosine_embedding_loss(make: Maker) -> Calls:
    if make.kind == "float":
        target = _signs(make, 1, -1, 1)
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), make(3, 4), target, 0.25, reduction)
        yield call(make(2), make(2), make(values=1, grad=False))


def bad_cosine_embedding_loss(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 3), make(2, 1))
    yield call(make(3), make(3), make(3))
    yield call(make(2, 3), make(2, 3), make())


def triplet_margin_loss(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), make(3, 4), make(3, 4), 1.5, reduction=reduction)
        yield call(make(3, 4), make(3, 4), make(3, 4), 2.0, 1.0, 1e-3, True)
        yield call(make(4), make(4), make(4))


def bad_triplet_margin_loss(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 3), make(3))


def cosine_similarity(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4))
        yield call(make(3, 4), make(4), -1, 0.5)
        yield call(make(2, 3, 4), make(2, 1, 4), 0)


def bad_cosine_similarity(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 4))
    yield call(make(2, 3, dtype="int64"), make(2, 3, dtype="int64"))


def pairwise_distance(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4))
        yield call(make(3, 4), make(4), 1.0, 1e-3, True)
        yield call(make(4), make(2, 4), 3.0)


def dist(make: Maker) -> Calls:
    if make.kind in ("float", "complex"):
        yield call(make(3, 4), make(3, 4))
        yield call(make(3, 4), make(4), 1)
        yield call(make(4, noncontiguous=True), make(2, 4), 3.0)
        yield call(make(), make(2), float("inf"))


def bad_dist(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 4))
    yield call(make(2, dtype="int64"), make(2, dtype="int64"))


def bad_pairwise_distance(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 4))
