"""Handles of objects of registered classes: what those without a state refuse."""

from __future__ import annotations

import copy
import pickle

import pytest
import torch
from mindtorch.core.script_object import Bound, ScriptObject


class Profile(Bound):
    """As torch's class of that name, of which no file is made."""

    full_name = "__torch__.torch.classes.profiling._ScriptProfile"
    methods = ("enable",)


@pytest.mark.parametrize(
    "use",
    [copy.deepcopy, pickle.dumps, lambda p: p.__getstate__()],
    ids=["deepcopy", "pickle", "state"],
)
def test_an_object_without_a_state_is_not_copied(use):
    with pytest.raises(RuntimeError) as wanted:
        use(torch.classes.profiling._ScriptProfile())
    with pytest.raises(RuntimeError) as found:
        use(ScriptObject.of(Profile()))
    assert str(found.value) == str(wanted.value)


def test_methods_are_those_of_the_class():
    made = ScriptObject.of(Profile())
    assert made._method_names() == ["enable"]
    assert made._has_method("enable")
    assert not made._has_method("__getstate__")
