"""``torch.onnx._internal.exporter``: from an exported program to a model of ONNX."""
