"""``torch.onnx._internal.torchscript_exporter``: the older way of an export, ``dynamo=False``."""
