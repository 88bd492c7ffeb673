"""Models that are quantized by their graphs: what tests of them share."""

import importlib
import warnings

from tests.contract import both_frameworks as both


def fx(t, name="quantize_fx"):
    """A module of quantization by graphs."""
    return importlib.import_module(f"{t.__name__}.ao.quantization.{name}")


def quietly(call, *args, **kwargs):
    """*call*, without its saying that all of this is deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **kwargs)


def agree(program):
    """Both return the same. What kernels say of deprecation depends on where they are called."""
    both.agree(lambda t: quietly(program, t))


def refuse(program):
    """Both raise the same."""
    both.refuse(lambda t: quietly(program, t))


def named(text):
    """A text with the classes of either framework."""
    return str(text).replace("mindtorch.", "torch.")


def shown(model):
    """A model's modules, its nodes, and the names of what it keeps."""
    return named(model), named(model.graph), list(model.state_dict())


def backend_of(t, name):
    """The configuration of a backend."""
    config = importlib.import_module(f"{t.__name__}.ao.quantization.backend_config.{name}")
    return getattr(config, f"get_{name}_backend_config")()


def added(t):
    """A model with convolutions that are added to something."""

    class Net(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.bn = t.nn.Conv2d(2, 2, 1), t.nn.BatchNorm2d(2)
            self.other, self.relu = t.nn.Conv2d(2, 2, 1), t.nn.ReLU()

        def forward(self, x):
            return self.relu(self.bn(self.conv(x)) + x) + t.add(x, self.other(x))

    return Net()


def remembering(observer):
    """The search of an observer for the best range, which remembers what it found."""
    search, found = observer._non_linear_param_search, {}

    def sought(self):
        key = (
            self.dtype,
            *(x.numpy().tobytes() for x in (self.histogram, self.min_val, self.max_val)),
        )
        if key not in found:
            found[key] = search(self)
        return found[key]

    return sought
