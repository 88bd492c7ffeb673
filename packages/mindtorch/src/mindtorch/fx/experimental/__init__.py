"""``torch.fx.experimental``: capturing graphs of operators."""

from ...core.submodules import reached as _reached

__getattr__ = _reached(__name__, "_config const_fold proxy_tensor sym_node unification".split())
