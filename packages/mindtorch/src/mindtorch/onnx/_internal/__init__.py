"""``torch.onnx._internal``: how a program becomes a model of ONNX."""
