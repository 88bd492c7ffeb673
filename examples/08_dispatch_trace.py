"""Watch the dispatcher at work: which kernel ran at which key, for every call of a block."""

import json
import tempfile
from pathlib import Path

import mindtorch as torch

x = torch.tensor([[1.0, -2.0], [3.0, 4.0]], requires_grad=True)

with torch.dispatch_trace() as t:
    loss = torch.nn.functional.linear(x, x).relu().sum()
    loss.backward()
print(t.select(op="linear"))

# A composite op has no kernel of its own below autograd: it calls others.
linear = next(event for event in t.events if event.name == "aten::linear")
inner = [event.name for event in linear.walk() if event.kind == "call"]
assert inner == ["aten::linear", "aten::t", "aten::matmul", "aten::mm"]

# Each call knows its arguments with their key sets, and the key that it was dispatched to.
mm = next(event for event in t.calls() if event.name == "aten::mm")
assert mm.arguments[0].text == "f32[2,2],grad"
assert mm.chosen.hop.key.name == "AutogradCPU"

# The backward is in the tree, node by node, with the calls that its formulas make.
backward = t.events[-1]
nodes = [event.name for event in backward.children]
assert backward.kind == "backward" and nodes[:2] == ["SumBackward0", "ReluBackward0"]
print("backward:", " → ".join(nodes))

# In a pipeline the backend only records; the flush runs what was recorded.
with torch.dispatch_trace() as t, torch.pipeline():
    (torch.ones(300, 300) @ torch.ones(300, 300)).sum()
flush = next(event for event in t.walk() if event.kind == "flush")
print("flush:", ", ".join(entry.name for entry in flush.children))
assert "aten::mm" in [entry.name for entry in flush.children]

# A file for ui.perfetto.dev (or about:tracing).
with tempfile.TemporaryDirectory() as folder:
    t.save(Path(folder) / "trace.json")
    events = json.loads((Path(folder) / "trace.json").read_text("utf-8"))["traceEvents"]
assert {"call", "kernel", "flush"} <= {event.get("cat") for event in events}
print(len(events), "events for Perfetto")

# Off again: calls are looked up as before.
n = len(t)
x + x
assert len(t) == n
