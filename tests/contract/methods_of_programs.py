"""A program that puts methods of its own on ``Tensor`` before it has a subclass."""

import torch


def foo(self, other):
    print("foo", type(self).__name__)
    return other


def view_as(self, other):
    print("view_as", type(self).__name__)
    return viewed(self, other)


def as_subclass(self, kind):
    print("as_subclass", kind.__name__)
    return self.made_subclass(kind)


viewed = torch.Tensor.view_as
torch.Tensor.made_subclass = torch.Tensor.as_subclass
torch.Tensor.as_subclass = as_subclass
torch.Tensor.foo = foo
torch.Tensor.view_as = view_as
torch.Tensor.half_of = property(lambda self: len(self) // 2)


class Sub(torch.Tensor):
    """A subclass that writes down what it is asked."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print("asked", func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})


class Mode(torch.overrides.TorchFunctionMode):
    """A mode that writes down what it is asked."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("mode", func.__name__)
        return func(*args, **(kwargs or {}))


x = torch.ones(4).as_subclass(Sub)
x.foo(1)
print(type(x.as_subclass(torch.Tensor)).__name__)
print(x.half_of)
with Mode():
    y = torch.ones(2)
    y.foo(2)
    print(y.half_of)
print(torch.ones(2).view_as(torch.ones(1, 2)).shape)
