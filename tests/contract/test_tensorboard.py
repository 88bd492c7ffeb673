"""``torch.utils.tensorboard`` writes the messages that torch writes."""

from __future__ import annotations

import importlib
import inspect

import numpy as np
import pytest

from .both_frameworks import BOTH, ours, outcome, torch

tensorboard = pytest.importorskip("tensorboard")
pytest.importorskip("PIL")


def part(t, name):
    return importlib.import_module(f"{t.__name__}.utils.tensorboard{name}")


def told(folder):
    """The summaries of a folder's files, by file: step and message."""
    from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader

    found = {}
    for path in sorted(folder.rglob("events.out.*")):
        events = [e for e in LegacyEventFileLoader(str(path)).Load() if e.HasField("summary")]
        found[str(path.parent.relative_to(folder))] = [(e.step, str(e.summary)) for e in events]
    return found


def numbers(*shape, scale=1.0):
    return (np.arange(np.prod(shape), dtype=np.float32).reshape(shape) * scale) % 1.0


CALLS = {
    "scalar": lambda w, t: w.add_scalar("a", t.tensor(2.5), 3),
    "scalar of a number": lambda w, t: w.add_scalar("a", 1, 3, new_style=True),
    "double scalar": lambda w, t: w.add_scalar("a", 1.1, 3, new_style=True, double_precision=True),
    "scalars": lambda w, t: w.add_scalars("m/x", {"p": 1.0, "q": t.tensor([2.0])}, 4),
    "tensor": lambda w, t: [
        w.add_tensor(str(d), t.tensor([[1, 0], [0, 1]]).to(d))
        for d in (
            t.float32,
            t.float64,
            t.float16,
            t.bfloat16,
            t.int64,
            t.uint8,
            t.bool,
            t.complex64,
        )
    ],
    "histogram": lambda w, t: w.add_histogram("h", t.tensor(numbers(50, scale=0.37)), 1),
    "histogram of few": lambda w, t: w.add_histogram(
        "h", numbers(90, scale=0.3), 1, "auto", None, 3
    ),
    "histogram of bf16": lambda w, t: w.add_histogram("h", t.ones(4, dtype=t.bfloat16), 1, bins=7),
    "raw histogram": lambda w, t: w.add_histogram_raw("r", 0, 3, 4, 6, 14, [1, 2, 3], [1, 2, 1]),
    "image": lambda w, t: w.add_image("i", t.tensor(numbers(3, 4, 5, scale=0.013)), 2),
    "grey image": lambda w, t: w.add_image("i", numbers(4, 5, scale=0.02), dataformats="HW"),
    "images": lambda w, t: w.add_images("i", t.tensor(numbers(5, 1, 4, 6, scale=0.01))),
    "boxes": lambda w, t: w.add_image_with_boxes(
        "b", t.ones(3, 20, 20), t.tensor([[2, 3, 9, 15]]), labels=["l"]
    ),
    "audio": lambda w, t: w.add_audio("s", t.tensor(numbers(100, scale=0.02)), sample_rate=8000),
    "text": lambda w, t: w.add_text("t", "some *text*", 8),
    "curve": lambda w, t: w.add_pr_curve(
        "p", t.tensor([0, 1, 1, 0, 1]), t.tensor([0.1, 0.9, 0.4, 0.6, 0.7]), 1, 9
    ),
    "raw curve": lambda w, t: w.add_pr_curve_raw("p", *[[1, 2]] * 6, num_thresholds=2),
    "layout": lambda w, t: w.add_custom_scalars(
        {"c": {"one": ["Multiline", ["a", "b"]], "two": ["Margin", ["a", "b", "c"]]}}
    ),
    "chart of lines": lambda w, t: w.add_custom_scalars_multilinechart(["a", "b"]),
    "chart of margins": lambda w, t: w.add_custom_scalars_marginchart(["a", "b", "c"]),
    "mesh": lambda w, t: w.add_mesh("m", t.ones(1, 3, 3), t.ones(1, 3, 3), t.ones(1, 1, 3)),
    "parameters": lambda w, t: w.add_hparams(
        {"lr": 0.1, "b": True, "s": "x", "n": 3}, {"acc": 0.5}, {"n": [1, 3]}, "run"
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_messages_are_those_of_torch(name, tmp_path):
    """Every method of the writer, read back from its files."""
    found = []
    for t in BOTH:
        folder = tmp_path / t.__name__
        with part(t, "").SummaryWriter(folder) as writer:
            CALLS[name](writer, t)
        found.append(told(folder))
    assert found[0] == found[1]
    assert any(found[0].values())


def test_points_for_the_projector(tmp_path):
    """Files of points, of what is said of them, and of their images."""
    found = []
    for t in BOTH:
        folder = tmp_path / t.__name__
        with part(t, "").SummaryWriter(folder) as w:
            w.add_embedding(t.ones(4, 3), ["a", "b", "c", "d"], t.ones(4, 3, 5, 5), 2, "one tag")
            w.add_embedding(t.ones(2, 2), [["x", 1], ["y", 2]], metadata_header=["n", "v"])
        names = sorted(p for p in folder.rglob("*") if p.is_file() and "events" not in p.name)
        found.append([(str(p.relative_to(folder)), p.read_bytes()) for p in names])
    assert found[0] == found[1] and len(found[0]) == 6


def test_graph_of_a_module(tmp_path):
    """Its modules and functions are nodes with shapes; the inputs are joined to them."""
    from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    model = ours.nn.Sequential(ours.nn.Linear(3, 4), ours.nn.ReLU())
    with part(ours, "").SummaryWriter(tmp_path) as writer:
        writer.add_graph(model, ours.ones(2, 3))
    (path,) = tmp_path.rglob("events.out.*")
    (text,) = [e.graph_def for e in LegacyEventFileLoader(str(path)).Load() if e.graph_def]
    nodes = {n.op: n for n in GraphDef.FromString(text).node}
    assert {"Linear", "ReLU", "IO Node"} <= set(nodes)
    assert nodes["ReLU"].input == [nodes["Linear"].name]
    shape = nodes["Linear"].attr["_output_shapes"].list.shape[0]
    assert [d.size for d in shape.dim] == [2, 4]


REFUSED = {
    "scalar of two": lambda s, t: s.scalar("a", t.ones(2)),
    "empty histogram": lambda s, t: s.histogram("a", np.array([]), 3),
    "parameters of a list": lambda s, t: s.hparams([], {}),
    "parameter of an object": lambda s, t: s.hparams({"a": object()}, {}),
    "a margin of two": lambda s, t: s.custom_scalars({"c": {"t": ["Margin", ["a", "b"]]}}),
    "image of a wrong format": lambda s, t: s.image("a", t.ones(2, 2), dataformats="CHW"),
    "no array": lambda s, t: s.scalar("a", [object()]),
    "unknown values of a parameter": lambda s, t: s.hparams({"a": 1}, {}, {"b": [1]}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    """In torch's words."""
    results = [outcome(lambda t: REFUSED[name](part(t, ".summary"), t), t) for t in BOTH]
    assert results[0] == results[1]
    assert results[0][0][0] != "value"


@pytest.mark.parametrize(
    "name", ["", ".writer", ".summary", "._utils", "._convert_np", "._embedding"]
)
def test_names_and_signatures(name):
    """What torch's module has is there and is called the same way."""
    mine, theirs = part(ours, name), part(torch, name)
    public = getattr(theirs, "__all__", None) or [
        n
        for n, v in vars(theirs).items()
        if inspect.isfunction(v) and v.__module__ == theirs.__name__
    ]
    for each in public:
        one, other = getattr(mine, each), getattr(theirs, each)
        pairs = [(one, other)]
        if inspect.isclass(other):
            pairs = [(getattr(one, n), f) for n, f in vars(other).items() if inspect.isfunction(f)]
        for a, b in pairs:
            wanted = inspect.signature(b).parameters
            assert list(inspect.signature(a).parameters) == list(wanted), each
