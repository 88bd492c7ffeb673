"""Sequences, lists and dictionaries of modules and parameters, as torch has them."""

import re

import mindtorch as ours
import pytest
import torch


def layer(t):
    return t.nn.Linear(2, 2)


CONTAINERS = {
    "sequential": lambda t, a, b, c: t.nn.Sequential(a, b),
    "sequential_slice": lambda t, a, b, c: t.nn.Sequential(a, b, c)[1:],
    "sequential_add": lambda t, a, b, c: t.nn.Sequential(a) + t.nn.Sequential(b, c),
    "sequential_mul": lambda t, a, b, c: 2 * t.nn.Sequential(a, b),
    "sequential_pop": lambda t, a, b, c: [s := t.nn.Sequential(a, b, c), s.pop(1)],
    "sequential_pop_slice": lambda t, a, b, c: [s := t.nn.Sequential(a, b, c), s.pop(slice(0, 2))],
    "sequential_insert": lambda t, a, b, c: t.nn.Sequential(a, b).insert(-1, c).append(a),
    "sequential_set": lambda t, a, b, c: [s := t.nn.Sequential(a, b), s.__setitem__(-1, c)],
    "sequential_del": lambda t, a, b, c: [s := t.nn.Sequential(a, b, c), s.__delitem__(0), len(s)],
    "list": lambda t, a, b, c: t.nn.ModuleList([a, a, b, c, c]),
    "list_empty": lambda t, a, b, c: t.nn.ModuleList(),
    "list_ops": lambda t, a, b, c: [m := t.nn.ModuleList([a]), m.insert(0, b), m.append(c) is m],
    "list_add": lambda t, a, b, c: t.nn.ModuleList([a]) + [b],
    "list_iadd": lambda t, a, b, c: t.nn.ModuleList([a]).__iadd__(t.nn.Sequential(b, c)),
    "list_slice": lambda t, a, b, c: t.nn.ModuleList([a, b, c])[::2],
    "list_pop": lambda t, a, b, c: [m := t.nn.ModuleList([a, b, c]), m.pop(0), m[-1], list(m)],
    "list_nested": lambda t, a, b, c: t.nn.ModuleList([t.nn.Sequential(a, b)] * 2),
    "dict": lambda t, a, b, c: t.nn.ModuleDict({"b": a, "a": b}),
    "dict_ops": lambda t, a, b, c: [
        m := t.nn.ModuleDict([("x", a)]),
        m.update({"y": b}),
        m.pop("x"),
        list(m),
        list(m.items()),
        "y" in m,
        len(m),
        m.clear(),
    ],
    "dict_of_dict": lambda t, a, b, c: t.nn.ModuleDict(t.nn.ModuleDict({"z": a, "y": b})),
    "params": lambda t, a, b, c: t.nn.ParameterList(
        [t.ones(2, 3), 3, "x", t.nn.Parameter(t.ones(1)), a]
    ),
    "params_ops": lambda t, a, b, c: [
        p := t.nn.ParameterList([t.ones(1)]),
        p.append(t.zeros(2)) is p,
        p.extend([1, 2]) is p,
        p[1:],
        len(p),
        p[-1],
        list(p.state_dict()),
        p.__setitem__(0, t.nn.Parameter(t.ones(3))),
    ],
    "pdict": lambda t, a, b, c: t.nn.ParameterDict({"b": t.ones(2), "a": 3, "c": a}),
    "pdict_ops": lambda t, a, b, c: [
        p := t.nn.ParameterDict([("b", t.ones(1)), ("a", 2)]),
        list(p.keys()),
        list(reversed(p)),
        p.get("z", 7),
        p.setdefault("q", 5),
        p.pop("b"),
        p.copy(),
        p | t.nn.ParameterDict({"n": 1}),
        p.popitem(),
        list(p.items()),
        list(p.values()),
        "a" in p,
        len(p),
        p.fromkeys(["u", "v"], 1),
        p.update({"k": t.ones(1)}),
        p.clear(),
    ],
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers(name):
    """Sequences and dictionaries of modules and parameters behave and print alike."""

    def run(t):
        made = CONTAINERS[name](t, layer(t), t.nn.ReLU(), t.nn.Tanh())
        made = made if isinstance(made, list) else [made]
        # What was made is printed last, so that later changes show.
        return [repr(v) if not isinstance(v, (bool, int)) else v for v in made], [
            list(v.state_dict()) for v in made if isinstance(v, t.nn.Module)
        ]

    def masked(t):
        shown, keys = run(t)
        return [re.sub(r"tensor\(.*?\]?\)", "tensor", str(s), flags=re.S) for s in shown], keys

    got, want = masked(ours), masked(torch)
    assert got == want
