"""The values of nested states by their paths, as checkpoints name them."""

from __future__ import annotations

import importlib

import pytest

from .both_frameworks import agree, refuse


def part(t, name):
    return importlib.import_module(f"{t.__name__}.distributed.{name}")


def states(t):
    """Nested states: of mappings, lists and tuples, with tensors and without."""
    one, two = t.ones(2), t.zeros(2, 2)
    return [
        {},
        {"a": 1, "b": one},
        {"a": {"b": {"c": one, "d": "x"}}, 3: two},
        {"a": [1, 2, 3], "b": [one, 2], "c": [[1], [two]], "d": [{"e": 1}], "f": []},
        {"a": (one, two), "b": [(one,)], "c": ([one], {"d": two}), "e": {}},
        {"a": {"b": {"c": 1}}, "d": [[[one]], {}], "e": [{}]},
        {"a": t.Size([1, 2]), "b": [t.Size([1]), one], "c": None},
    ]


def visited(t, walk, state, *keep):
    found = []
    getattr(part(t, "checkpoint._traverse"), walk)(
        state, lambda path, value: found.append((path, value)), *keep
    )
    return found


@pytest.mark.parametrize("walk", ["traverse_state_dict", "traverse_state_dict_v_2_3"])
@pytest.mark.parametrize("number", range(7))
def test_values_are_visited_by_path(walk, number):
    agree(lambda t: visited(t, walk, states(t)[number]))
    agree(lambda t: visited(t, walk, states(t)[number], lambda value: True))
    agree(lambda t: visited(t, walk, states(t)[number], lambda value: False))


@pytest.mark.parametrize("number", range(7))
def test_states_are_flat_and_nested_again(number):
    def run(t):
        nested = part(t, "checkpoint._nested_dict")
        flat, paths = nested.flatten_state_dict(states(t)[number])
        return flat, paths, nested.unflatten_state_dict(flat, paths)

    agree(run)


def test_equal_names_are_refused():
    refuse(
        lambda t: part(t, "checkpoint._nested_dict").flatten_state_dict({"a": {"b": 1}, "a.b": 2})
    )


PATHS = [("a",), ("a", "b"), ("a", 2), ("a", 1, "b", 0), ("x", 0, 0), ("b", "c")]


@pytest.mark.parametrize("path", PATHS)
def test_values_are_set_and_got(path):
    def run(t):
        module = part(t, "checkpoint._traverse")
        state = {"b": {"c": 1}}
        before = module.get_element(state, path, "none")
        module.set_element(state, path, 5)
        return before, state, module.get_element(state, path), module.get_element(state, ("q",))

    agree(run)


def test_what_is_there_is_printed():
    def run(t):
        module, said = part(t, "checkpoint._traverse"), []
        module.traverse_state_dict(
            {"a": t.ones(2, 3), "b": {"c": 1}},
            lambda path, value: module.print_tensor(path, value, said.append),
        )
        return said

    agree(run)


def test_what_says_itself_how_it_is_kept():
    def run(t):
        kind = part(t, "_checkpointable")._Checkpointable
        names = ("__create_write_items__", "__create_chunk_list__", "__get_tensor_shard__")
        own = type("Own", (), dict.fromkeys(names, lambda self, *args: []))
        return isinstance(own(), kind), isinstance(5, kind)

    agree(run)
