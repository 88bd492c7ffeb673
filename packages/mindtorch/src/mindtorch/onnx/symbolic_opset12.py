"""``torch.onnx.symbolic_opset12``: each of its functions refuses."""

from . import _refusing

__all__: list[str] = []
__getattr__ = _refusing(__name__)
