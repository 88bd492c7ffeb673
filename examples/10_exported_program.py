"""A program as a graph: drawn without numbers, written to a file that torch reads, and run.

The same works the other way round: a file of torch's runs here, also one whose sizes vary.
"""

import os
import tempfile

import mindtorch as torch
from mindtorch import nn


class Classifier(nn.Module):
    """Two layers, and a count of the calls."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 3)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls.add_(1)
        return self.out(self.hidden(x).relu()).softmax(-1)


torch.manual_seed(0)
model, x = Classifier(), torch.ones(2, 4)
program = torch.export.export(model, (x,))
print(program.graph_module.print_readable(print_output=False))
print(program.graph_signature)

# Each node knows which module called it, and where in the source.
linear = next(node for node in program.graph.nodes if node.name == "linear")
print("linear was called by", [name for name, _ in linear.meta["nn_module_stack"].values()])

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "classifier.pt2")
    torch.export.save(program, path)
    loaded = torch.export.load(path).module()

assert torch.equal(loaded(x), model(x))
assert loaded.calls == 1  # its own: the file has a copy
try:
    loaded(torch.ones(5, 4))
except AssertionError as error:
    print("other sizes are refused:", error)
