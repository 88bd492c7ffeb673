"""``torch.onnx._internal.exporter._torchlib``: each operator of torch in those of ONNX."""
