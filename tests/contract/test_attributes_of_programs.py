"""A program's own attributes of tensors, under names that a tensor's parts could have, too."""

from __future__ import annotations

from typing import Any

import pytest

from .both_frameworks import agree

pytestmark = pytest.mark.oracle

NAMES = ["_meta", "_state", "_a", "_sig", "_shared", "_edge", "_content", "_info", "note"]


def _plain(t: Any) -> Any:
    return t.arange(4.0)


def _leaf(t: Any) -> Any:
    return t.arange(4.0, requires_grad=True)


def _parameter(t: Any) -> Any:
    return t.nn.Parameter(t.arange(4.0))


def _subclass(t: Any) -> Any:
    return t.arange(4.0).as_subclass(type("Own", (t.Tensor,), {}))


def _view(t: Any) -> Any:
    return t.arange(8.0)[::2]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [_plain, _leaf, _parameter, _subclass, _view])
def test_an_attribute_of_a_program_is_kept_and_changes_nothing(make: Any, name: str) -> None:
    def run(t: Any) -> Any:
        x = make(t)
        before = hasattr(x, name)
        setattr(x, name, {"kept": 1})
        found = [before, name in vars(x)]
        y = (x * x)[1:].clone()
        found += [y.detach(), hasattr(y, name), x.reshape(2, 2).detach(), x.is_leaf, x._version]
        if x.requires_grad:
            y.sum().backward()
            found.append(x.grad)
            x.requires_grad_(False)
        x.add_(1)
        found += [x.mul_(2).detach(), x._version, getattr(x, name)]
        delattr(x, name)
        return [*found, hasattr(x, name), x.detach() + 1]

    agree(run)
