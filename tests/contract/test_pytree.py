"""``torch.utils._pytree``: each question asked of both, over trees made by a generator."""

from __future__ import annotations

import dataclasses
import importlib
import random
from collections import OrderedDict, defaultdict, deque, namedtuple

import mindtorch.utils._pytree as ours
import pytest
import torch.utils._pytree as oracle

from tests.contract.hearing import hearing

Pair = namedtuple("Pair", ["left", "right"])
Other = namedtuple("Other", ["left", "right"])
BOTH = (ours, oracle)
TREES = 300


def tree(draw, depth=3):
    """A random tree: every kind of container, None and empty ones among them."""
    if depth == 0 or draw.random() < 0.25:
        return draw.choice([1, "text", None, 2.5, (), [], {}])
    children = [tree(draw, depth - 1) for _ in range(draw.randrange(3))]
    named = dict(zip(draw.sample("abcd", len(children)), children, strict=True))
    kind = draw.randrange(8)
    if kind == 0:
        return tuple(children)
    if kind == 1:
        return children
    if kind == 2:
        return named
    if kind == 3:
        return OrderedDict(named)
    if kind == 4:
        return defaultdict(list, named)
    if kind == 5:
        return deque(children, maxlen=draw.choice([None, 5]))
    if kind == 6:
        return Pair(tree(draw, depth - 1), tree(draw, depth - 1))
    return Other(1, tree(draw, depth - 1))


def answer(question, pytree):
    """What *question* answers, or the error it raises."""
    try:
        return question(pytree)
    except Exception as error:
        return type(error).__name__, str(error)


def text(value):
    """A structure or a path as text, anything else as it prints."""
    return (
        repr(value)
        .replace("mindtorch", "torch")
        .replace("_pytree.nodes.", "_pytree.")
        .replace(".spec.", ".")
        .replace("core.size.", "")
    )


def same(question):
    """Both answer alike."""
    mine, theirs = (text(answer(question, p)) for p in BOTH)
    assert mine == theirs
    return theirs


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_are_taken_apart_alike(seed):
    """Leaves, structure and its text, JSON, paths, and the tree put together again."""
    draw = random.Random(seed)
    for _ in range(TREES // 6):
        t = tree(draw)
        same(lambda p: p.tree_flatten(t))
        same(lambda p: p.tree_unflatten(p.tree_leaves(t), p.tree_structure(t)))
        same(lambda p: (p.tree_structure(t).num_nodes, p.tree_structure(t).num_leaves))
        same(lambda p: p.treespec_dumps(p.tree_structure(t)))
        same(lambda p: [(p.keystr(k), k, v) for k, v in p.tree_leaves_with_path(t)])
        same(lambda p: p.tree_map(lambda x: (x,), t))
        same(lambda p: p.tree_map_with_path(lambda k, x: p.keystr(k), t))
        same(lambda p: p.treespec_pprint(p.tree_structure(t)))
        same(lambda p: [p.key_get(t, k) for k, _ in p.tree_leaves_with_path(t)])
        same(lambda p: p.tree_leaves(t, is_leaf=lambda x: isinstance(x, dict)))


@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_trees_fit_or_not_alike(seed):
    """Mapping over two trees, broadcasting, equality: the same answers and errors."""
    draw = random.Random(100 + seed)
    for _ in range(TREES // 6):
        a = tree(draw, 2)
        b = draw.choice([a, tree(draw, 2), 1])
        same(lambda p: p.tree_map(lambda x, y: (x, y), a, b))
        same(lambda p: p._broadcast_to_and_flatten(a, p.tree_structure(b)))
        same(lambda p: p.tree_structure(a) == p.tree_structure(b))
        same(lambda p: p.tree_unflatten([1], p.tree_structure(a)))


def test_structures_come_back_from_json():
    """What was written can be read, with equal structure."""
    draw = random.Random(5)
    for _ in range(50):
        t = tree(draw)
        for p in BOTH:
            spec = p.tree_structure(t)
            try:
                written = p.treespec_dumps(spec)
            except NotImplementedError:  # a named tuple without a name
                continue
            assert p.treespec_loads(written) == spec


QUESTIONS = {
    "only a type": lambda p: p.tree_map_only(int, lambda x: x + 1, [1, "a", 2.0]),
    "only types": lambda p: p.tree_map_only((int, str), lambda x: x * 2, [1, "a", 2.0]),
    "only a union": lambda p: p.tree_map_only(int | str, lambda x: 9, [1, 2.0]),
    "only by a predicate": lambda p: p.tree_map_only(lambda x: x == 1, lambda x: 9, [1, 2]),
    "only by nothing": lambda p: p.tree_map_only(3, lambda x: x, [1]),
    "all and any": lambda p: (
        p.tree_all(bool, [1, 0]),
        p.tree_any(bool, [1, 0]),
        p.tree_all_only(int, bool, [1, ""]),
        p.tree_any_only(int, bool, [0, "a"]),
    ),
    "arguments": lambda p: p.arg_tree_leaves(1, [2], x=(3,)),
    "leaves": lambda p: [p.tree_is_leaf(v) for v in (1, [1], None, (), {})],
    "iteration": lambda p: list(p.tree_iter([1, [2]])),
    "no structure": lambda p: p.tree_unflatten([1], 3),
    "no structure to write": lambda p: p.treespec_dumps(3),
    "another protocol": lambda p: p.treespec_dumps(p.treespec_leaf(), 5),
    "another protocol read": lambda p: p.treespec_loads("[2, 3]"),
    "made structures": lambda p: (
        p.treespec_leaf(),
        p.treespec_tuple([p.treespec_leaf()]),
        p.treespec_dict(a=p.treespec_leaf()),
    ),
    "hashes": lambda p: (
        hash(p.tree_structure([1])) == hash(p.tree_structure([2])),
        hash(p.tree_structure({"a": 1})) == hash(p.tree_structure({"a": 2})),
    ),
    "up to": lambda p: p.tree_structure([1, [2]]).flatten_up_to([[1], [[2]]]),
    "up to another": lambda p: p.tree_structure([1, [2]]).flatten_up_to([1, 2]),
    "kinds of tuples": lambda p: [
        f(x)
        for f in (p.is_namedtuple, p.is_namedtuple_class, p.is_namedtuple_instance)
        for x in (Pair, Pair(1, 2), (1,), tuple)
    ],
    "keys": lambda p: [
        (repr(k), str(k)) for k in (p.MappingKey("a"), p.SequenceKey(1), p.GetAttrKey("z"))
    ],
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_has_torchs_answer(name):
    """Values, and the errors of what cannot be asked."""
    same(QUESTIONS[name])


def test_nodes_can_be_registered():
    """A class of one's own: flattened, written, printed and refused as in torch."""
    said = []
    for p in BOTH:

        class Box:
            def __init__(self, value):
                self.value = value

        class Named(Box):
            pass

        def refused(call):
            try:
                call()
            except Exception as error:
                return type(error).__name__, str(error)
            return "nothing was raised"

        def flatten(box):
            return [box.value], "context"

        def unflatten(values, context, made=Box):
            return made(*values)

        p.register_pytree_node(Box, flatten, unflatten)
        p.register_pytree_node(
            Named,
            flatten,
            unflatten,
            serialized_type_name="test.Named",
            to_dumpable_context=lambda c: {"c": c},
            from_dumpable_context=lambda d: d["c"],
            flatten_with_keys_fn=lambda b, p=p: ([(p.GetAttrKey("value"), b.value)], "context"),
        )
        try:
            said.append(
                (
                    repr(p.tree_flatten([Box(1)])),
                    p.tree_map(lambda x: x + 1, Box(1)).value,
                    refused(lambda: p.register_pytree_node(Box, flatten, unflatten)),
                    refused(lambda: p.tree_flatten_with_path(Box(1))),
                    refused(lambda: p.treespec_dumps(p.tree_structure(Box(1)))),
                    refused(
                        lambda: p.register_pytree_node(
                            type("Half", (), {}), flatten, unflatten, to_dumpable_context=str
                        )
                    ),
                    p.treespec_dumps(p.tree_structure(Named(1))),
                    repr(p.treespec_loads(p.treespec_dumps(p.tree_structure(Named(1))))),
                    p.keystr(p.tree_leaves_with_path([Named(1)])[0][0]),
                )
            )
        finally:
            p._deregister_pytree_node(Box)
            p._deregister_pytree_node(Named)
        assert p.tree_is_leaf(Box(1))
    assert said[0] == said[1]


def test_results_with_names_and_sizes_are_nodes():
    """``torch.return_types.max`` and ``torch.Size``, as in torch."""
    import mindtorch
    import torch

    said = []
    for t, p in ((mindtorch, ours), (torch, oracle)):
        both = t.ones(2, 2).max(0)
        leaves, spec = p.tree_flatten(both)
        again = p.tree_unflatten(leaves, spec)
        said.append(
            (repr(spec), type(again).__name__, len(leaves), p.is_structseq(both),
             p.tree_leaves(t.Size([1, 2])), repr(p.tree_structure(t.Size([1, 2]))))
        )  # fmt: skip
    assert said[0] == said[1]


class Made:
    """Made of its fields, and no dataclass."""

    def __init__(self, x, y=2):
        self.x, self.y = x, y


@dataclasses.dataclass
class Fields:
    x: int
    y: int = 2
    z: int = dataclasses.field(default=3, init=False)


class Equal:
    def __eq__(self, other):
        return isinstance(other, Equal)

    def __hash__(self):
        return 3

    def __repr__(self):
        return "Equal()"


class EqualAlone:
    def __eq__(self, other):
        return True


def size(p):
    return importlib.import_module(p.__name__.partition(".")[0]).Size([1, 2])


def registered(register, then=lambda p: None):
    """What *then* answers while what *register* did lasts."""

    def question(p):
        before = dict(p.SUPPORTED_NODES)
        try:
            register(p)
            return then(p)
        finally:
            for kind in p.SUPPORTED_NODES.keys() - before.keys():
                p._deregister_pytree_node(kind)

    return question


REGISTERED = (
    lambda p: (p.tree_flatten(size(p)), type(p.tree_map(lambda x: x, size(p)))),
    lambda p: p.tree_map(lambda x: "a", size(p)),
    lambda p: p.treespec_dumps(p.tree_structure(size(p))),
    lambda p: p.treespec_loads(p.treespec_dumps(p.tree_structure(size(p)))),
    lambda p: p.tree_map(lambda a, b: a + b, size(p), (1, 2)),
    registered(lambda p: p.register_dataclass(Made)),
    registered(
        lambda p: p.register_dataclass(Made, field_names=["x"]), lambda p: p.tree_flatten(Made(1))
    ),
    registered(lambda p: p.register_dataclass(Fields, field_names=["x"])),
    registered(lambda p: p.register_dataclass(Fields, field_names=["x", "q"])),
    registered(
        lambda p: p.register_dataclass(Fields, field_names=["x"], drop_field_names=["y"]),
        lambda p: p.tree_map(lambda a: a + 1, Fields(1, 7)),
    ),
    registered(
        lambda p: p.register_dataclass(Fields, drop_field_names=["y"]),
        lambda p: p.tree_flatten_with_path([Fields(None), Fields(3)]),
    ),
    registered(lambda p: p.register_constant(EqualAlone)),
    registered(
        lambda p: [p.register_constant(Equal), p.register_constant(Equal)],
        lambda p: (p.is_constant_class(Equal), p.tree_structure([Equal(), 1])),
    ),
    registered(
        lambda p: p._register_pytree_node(Made, lambda m: ([m.x], None), lambda c, _: Made(*c)),
        lambda p: p.tree_flatten(Made(3)),
    ),
    registered(
        lambda p: p.register_pytree_node(
            Made, lambda m: ([m.x], m.y), lambda c, y: Made(*c, y), serialized_type_name="m"
        ),
        lambda p: p.tree_map(lambda a, b: a, Made(3), Made(3, 4)),
    ),
    lambda p: type(p.LeafSpec()),
    lambda p: type(p.tree_structure(1)),
    lambda p: p.LeafSpec() == p.treespec_leaf(),
    lambda p: (isinstance(p.treespec_leaf(), p.LeafSpec), isinstance(3, p.LeafSpec)),
    lambda p: p.tree_structure([1]).children_specs,
)


@pytest.mark.parametrize("number", range(len(REGISTERED)))
def test_nodes_of_ones_own(number):
    """What is registered, what is said of it, and the warnings of names of old."""
    heard = []
    for p in BOTH:
        with hearing() as warned:
            found = text(answer(REGISTERED[number], p))
        heard.append((found, [(str(w.message), w.category) for w in warned]))
    assert heard[0] == heard[1]


SIZED = {
    "a size": lambda t: (t.Size([1, 2]), t.Size([3, 4])),
    "a longer size": lambda t: (t.Size([1, 2, 3]), t.Size([3, 4])),
    "a tuple for a size": lambda t: ((1, 2), t.Size([3, 4])),
    "a size for a tuple": lambda t: (t.Size([1, 2]), (3, 4)),
    "a number for a size": lambda t: (5, t.Size([3])),
    "a size in a list": lambda t: ([t.Size([1]), {"a": 2}], [t.Size([3]), {"a": 4}]),
}


@pytest.mark.parametrize("name", SIZED)
def test_generated_code_takes_apart_what_nobody_registered_with_it(name):
    """``torch.fx._pytree``: classes known to the other module are nested as that one says."""
    found = []
    for lib in ("mindtorch", "torch"):
        t, nodes = importlib.import_module(lib), importlib.import_module(f"{lib}.utils._pytree")
        taking = importlib.import_module(f"{lib}.fx._pytree").tree_flatten_spec
        value, like = SIZED[name](t)
        try:
            found.append(repr(taking(value, nodes.tree_flatten(like)[1])))
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}")
    assert found[0] == found[1]
