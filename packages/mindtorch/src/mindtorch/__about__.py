"""Versions: of this package, and of the torch whose behaviour it has."""

__version__ = "1.0.0"
#: What ``torch.__version__`` says where mindtorch runs under torch's name.
__torch_version__ = f"2.13.0+mindtorch.{__version__}"
