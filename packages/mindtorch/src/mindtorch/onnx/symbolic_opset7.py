"""``torch.onnx.symbolic_opset7``: each of its functions refuses."""

from . import _refusing

__getattr__ = _refusing(__name__)
