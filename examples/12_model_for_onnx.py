"""A model as a file of ONNX, for engines that know nothing of torch: written, checked, run.

It needs the package onnx: pip install mindtorch[onnx].
"""

import os
import tempfile

import mindtorch as torch
import onnx
from mindtorch import nn
from onnx.reference import ReferenceEvaluator


class Classifier(nn.Module):
    """A small network for images."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.head = nn.Linear(4 * 4 * 4, 10)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(image).flatten(1)).softmax(-1)


torch.manual_seed(0)
model, image = Classifier().eval(), torch.randn(2, 1, 8, 8)
program = torch.onnx.export(model, (image,), output_names=["chances"], verbose=False)
for node in program.model_proto.graph.node:
    print(f"{node.op_type:20} {', '.join(node.input)} -> {', '.join(node.output)}")

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "classifier.onnx")
    program.save(path)
    loaded = onnx.load(path)
onnx.checker.check_model(loaded, full_check=True)
(chances,) = ReferenceEvaluator(loaded).run(["chances"], {"image": image.numpy()})
torch.testing.assert_close(torch.from_numpy(chances), model(image).detach())
print("the same numbers as mindtorch's, by ONNX's own implementation")

try:
    torch.onnx.export(nn.Module().eval(), (), verbose=False)
except torch.onnx.OnnxExporterError as error:
    print(type(error).__name__, "says which of three steps failed:", str(error).split(".")[0])
