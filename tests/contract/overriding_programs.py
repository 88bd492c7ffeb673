"""Programs of ``__torch_function__``: classes and modes that write down what they are asked."""

from __future__ import annotations

from .test_python_dispatch import logging_mode


def function_mode(t, log, name="mode"):
    """A mode that writes down every function and runs it."""

    class Logging(t.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            log(name, t.overrides.resolve_name(func), func.__name__, types, len(args), kwargs)
            return func(*args, **kwargs) if kwargs else func(*args)

        def __repr__(self):
            return f"<{name}>"

    return Logging()


def logging_class(t, log):
    """A subclass that writes down every function and runs torch's default."""

    class Sub(t.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log(t.overrides.resolve_name(func), types, len(args), kwargs)
            return super().__torch_function__(func, types, args, kwargs)

    return Sub


def refusing(t, log, *names):
    """Subclasses that answer NotImplemented, each of the one before."""
    made, base = [], t.Tensor
    for name in names:

        def refuse(cls, func, types, args=(), kwargs=None):
            log(cls, types)
            return NotImplemented

        base = type(t.Tensor)(name, (base,), {"__torch_function__": classmethod(refuse)})
        made.append(base)
    return made


OPERATORS = (
    "add sub mul truediv floordiv mod pow matmul eq ne lt le gt ge iadd isub imul itruediv "
    "ifloordiv imod ipow"
).split()
INTEGER_OPERATORS = "and_ or_ xor lshift rshift iand ior ixor ilshift irshift".split()


def handlers_of_no_mode(t, log):
    """Modes whose handler is not their method: C++ refuses them, Python calls them."""

    class OfClass(t.overrides.TorchFunctionMode):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log(func.__name__)
            return func(*args, **(kwargs or {}))

    class Static(t.overrides.TorchFunctionMode):
        @staticmethod
        def __torch_function__(func, types, args=(), kwargs=None):
            log(func.__name__)
            return func(*args, **(kwargs or {}))

    x = t.ones(2)
    for mode in (OfClass(), Static()):
        for call in (
            lambda: t.add(x, 1), lambda: x.sum(), lambda: x + 1, lambda: t.ones(1),
            lambda: t.ops.aten.sin(x), lambda: t.nn.functional.pad(x, (1, 1)),
        ):  # fmt: skip
            try:
                with mode:
                    log(call())
            except RuntimeError as error:
                log(error)


def operators(t, log):
    import operator

    x, i = t.ones(2, 2), t.ones(2, dtype=t.int64)
    with function_mode(t, log):
        for name in OPERATORS:
            getattr(operator, name)(x, x)
        for name in OPERATORS[:14]:
            if name != "matmul":
                getattr(operator, name)(2, x)
        for name in INTEGER_OPERATORS:
            getattr(operator, name)(i, i)
        for name in INTEGER_OPERATORS[:5]:
            getattr(operator, name)(2, i)
        -x, +x, abs(x), ~i, x**2, x + 1, 1 - x


def methods_and_properties(t, log):
    x = t.ones(2, 2, requires_grad=True)
    with function_mode(t, log):
        x.shape, x.dtype, x.device, x.grad, x.data, x.requires_grad, x.is_leaf, x.ndim, x.T
        x.size(), x.dim(), x.numel(), x.stride(), x.is_contiguous(), x.data_ptr()
        x.tolist(), len(x), bool(x[0, 0]), int(x[0, 0]), float(x[0, 0]), repr(x)
        x.detach().numpy(), x.to(t.float64), x.float(), x.cpu(), x.type(), x.untyped_storage()
        x.unique(), list(x), 1 in x, reversed(x), format(x[0, 0], ".2f")
        x.register_hook(lambda grad: None)
        x.sum().backward()
        x.grad = None
        del x.grad
        x.requires_grad_(False)
        x[0] = 1
        x[0:1], x[x > 1], x.new_zeros(2), x.split(1), x.view(-1), x.view(2, 2)


def functions(t, log):
    x = t.ones(2, 2)
    with function_mode(t, log):
        t.tensor([1.0]), t.zeros(2), t.arange(3), t.as_tensor(x), t.rand(2).shape
        t.split(x, 1), t.einsum("ij,jk->ik", x, x), t.broadcast_tensors(x, x), t.atleast_1d(x)
        t.is_floating_point(x), t.numel(x), t.add(x, x, alpha=2), t.cat([x, x]), t.max(x, 0)
        t.nn.functional.relu(x), t.nn.functional.linear(x, x), t.nn.functional.softmax(x, 0)
        t.nn.functional.dropout(x, 0.5, training=False), t.nn.functional.mse_loss(x, x)
        t.nn.functional.conv1d(x[None], x[None])


def nested_modes(t, log):
    x = t.ones(2)
    with function_mode(t, log, "outer"), function_mode(t, log, "inner") as inner:
        x + x
        log(t.overrides._get_current_function_mode() is inner, t._C._len_torch_function_stack())
        with t._C.DisableTorchFunctionSubclass():
            x * x
        with t._C.DisableTorchFunction():
            x - x
            log(t._C._is_torch_function_enabled(), t._C._is_torch_function_all_disabled())
        with t.overrides._pop_mode_temporarily():
            x / x
    log(t._C._len_torch_function_stack())


def reentrant(t, log):
    class Mode(t.overrides.TorchFunctionMode):
        depth = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):
            log(self.depth, func.__name__)
            if self.depth < 2:
                self.depth += 1
                with self:
                    return func(*args, **(kwargs or {}))
            return func(*args, **(kwargs or {}))

    with Mode():
        t.ones(2) + 1


def subclasses(t, log):
    cls = logging_class(t, log)
    x = t.ones(2, 2)
    s = x.as_subclass(cls)
    log(type(s + 1), type(s.relu()), type(t.matmul(s, x)), type(t.cat([x, s])), type(1 - s))
    log(type(s.max(0)), type(s.max(0)[0]), [type(v) for v in s.split(1)], [type(v) for v in s])
    log(type(s[0]), type(s.T), type(s.data), s.shape, s.sum().item(), type(x.add_(s)))
    s[0] = 2
    x[0] = s[0]
    log(type(x[t.tensor([0])]), type(t.nn.functional.relu(s)), type(t.split(s, 1)[0]))
    s.requires_grad_()
    s.sum().backward()
    log(type(s.grad), type(s.detach()), type(s.grad_fn), type(t.zeros(2, out=s.detach())))
    log(s.requires_grad, s.is_leaf, len(s), s.tolist())


def plain_subclasses(t, log):
    class Sub(t.Tensor):
        pass

    class Finer(Sub):
        pass

    s, f = t.ones(2).as_subclass(Sub), t.ones(2).as_subclass(Finer)
    log(type(s + f), type(f + s), type(s * 2), type(t.stack([s, f])), type(s.sum()))
    log(type(s.to(t.float64)), type(s.clone()), type(s.max(0)[1]), type(s.new_zeros(2)))
    with t._C.DisableTorchFunctionSubclass():
        log(type(s + f), type(s.relu()))
    log(Sub([1.0, 2.0]), type(Sub(2, 3)), isinstance(s, t.Tensor), issubclass(Finer, Sub))
    log(type(t.nn.Parameter(t.ones(2)) + 1), type(t.nn.Parameter(t.ones(2)) + s))


def overridden_members(t, log):
    class Sub(t.Tensor):
        @property
        def shape(self):
            return ("own", *super().shape)

        def size(self):
            return "own size"

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log(t.overrides.resolve_name(func))
            return super().__torch_function__(func, types, args, kwargs)

    s = t.ones(2).as_subclass(Sub)
    log(s.shape, s.size(), Sub.dim is t.Tensor.dim)


def handled_by_table(t, log):
    handled = {}

    class Sub(t.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func in handled:
                return handled[func](*args, **(kwargs or {}))
            return NotImplemented

    handled[t.Tensor.add] = lambda a, b: "add"
    handled[t.cat] = lambda tensors, dim=0: ("cat", len(tensors), dim)
    handled[t.Tensor.shape.__get__] = lambda self: "shape"
    handled[t.Tensor.grad.__set__] = lambda self, value: log("set", value)
    handled[t.Tensor.size] = lambda self: "size"
    handled[t.nn.functional.relu] = lambda input, inplace: ("relu", inplace)
    s = t.ones(2).as_subclass(Sub)
    log(s + 1, t.cat([s], dim=1), s.shape, s.size(), t.nn.functional.relu(s))
    s.grad = 3
    log.error(lambda: s.dim())
    log.error(lambda: t.sum(s))


def refusals(t, log):
    one, two = refusing(t, log, "One", "Two")
    (other,) = refusing(t, log, "Other")
    a, b, c = (t.ones(2).as_subclass(k) for k in (one, two, other))
    x = t.ones(2)
    for call in (
        lambda: t.add(a, b),
        lambda: t.cat([a, x, b, c]),
        lambda: a + c,
        lambda: a - b,
        lambda: 1 - a,
        lambda: 2**a,
        lambda: x + a,
        lambda: x.add(a),
        lambda: a.relu(),
        lambda: a.shape,
        lambda: a.grad,
        lambda: setattr(a, "grad", None),
        lambda: a[0],
        lambda: a.__setitem__(0, 1),
        lambda: a.requires_grad_(),
        lambda: len(a),
        lambda: a.unique(),
        lambda: t.split(a, 1),
        lambda: t.einsum("i", a),
        lambda: t.nn.functional.relu(a),
        lambda: t.zeros(2, out=a),
        lambda: a == a,
    ):
        log.error(call)


def refusing_modes(t, log):
    class Mode(t.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return NotImplemented

        def __repr__(self):
            return "<mode>"

    x, (one,) = t.ones(2), refusing(t, log, "One")
    a = x.as_subclass(one)
    with Mode():
        for call in (
            lambda: t.add(a, a),
            lambda: t.add(x, x),
            lambda: t.split(x, 1),
            lambda: t.split(a, 1),
            lambda: t.zeros(2),
            lambda: t.add(x),
        ):
            log.error(call)


def objects(t, log):
    class Duck:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log(func.__name__, types, len(args), kwargs)
            return 5

        def __repr__(self):
            return "duck"

        __str__ = __repr__

    d, x = Duck(), t.ones(2)
    for call in (
        lambda: t.add(x, d),
        lambda: x + d,
        lambda: d + x,
        lambda: t.cat([x, d]),
        lambda: t.sum(d, dim=0),
        lambda: t.add(x, x, alpha=d),
        lambda: t.zeros(d),
        lambda: t.split(d, 1),
        lambda: t.nn.functional.relu(d),
        lambda: t.nn.functional.linear(d, d),
        lambda: x[d],
        lambda: x.__setitem__(0, d),
        lambda: x.view(d),
        lambda: x.reshape((d, 1)),
        lambda: t.is_tensor(d),
        lambda: t.zeros(2, out=d),
        lambda: t.mean(d),
        lambda: (t.overrides.is_tensor_like(d), t.overrides.is_tensor_like(x)),
        lambda: t.overrides.has_torch_function((d,)),
        lambda: t.overrides.has_torch_function_unary(x),
        lambda: t.overrides.has_torch_function_variadic(x, d),
    ):
        log.error(call)


def own_functions(t, log):
    @t.overrides.wrap_torch_function(lambda a, b=None: (a, b))
    def decorated(a, b=None):
        return "decorated"

    def written(a, b=None):
        if t.overrides.has_torch_function_variadic(a, b):
            return t.overrides.handle_torch_function(written, (a, b), a, b=b)
        return "written"

    cls = logging_class(t, log)
    s = t.ones(2).as_subclass(cls)
    log(decorated(1), decorated(s), decorated(1, b=s), written(1), written(1, s))
    with function_mode(t, log):
        log(decorated(1), written(1))


def operators_called_directly(t, log):
    x = t.ones(2)
    s = x.as_subclass(logging_class(t, log))
    with function_mode(t, log):
        t.ops.aten.add.Tensor(x, x)
        t.ops.aten.add(x, x, alpha=2)
    log(type(t.ops.aten.mul.Tensor(s, x)), type(t.ops.aten.relu.default(s)))


def operators_of_ones_own(t, log):
    with t.library._scoped_library("overridden", "DEF") as lib:
        lib.define("twice(Tensor x, float s=1.0) -> Tensor")
        lib.impl("twice", lambda x, s=1.0: x * 2, "CPU")
        twice, x = t.ops.overridden.twice.default, t.ones(2)
        with function_mode(t, log):
            twice(x), twice(x, s=2.0)
        with logging_mode(t, log):
            twice(x)
        log(type(twice(x.as_subclass(logging_class(t, log)))), twice(x).tolist())


def names(t, log):
    resolve = t.overrides.resolve_name
    method = t.overrides.is_tensor_method_or_property
    for func in (
        t.add, t.Tensor.add, t.Tensor.__add__, t.Tensor.__rsub__, t.ones, t.einsum, t.split, print,
        t.nn.functional.relu, t.nn.functional.linear, t.relu, t.Tensor.eq, t.Tensor.__eq__,
        t.Tensor.shape.__get__, t.Tensor.grad.__set__, t.ops.aten.add, t.ops.aten.add.Tensor,
        t.Tensor.is_cuda.__get__, t.Tensor.detach_, t.Tensor.numel,
    ):  # fmt: skip
        log(resolve(func))
    for func in (t.add, t.Tensor.add, t.Tensor.shape.__get__, t.Tensor.size):
        log(method(func))
    overridable = t.overrides.get_overridable_functions()
    log(t.Tensor.add in overridable[t.Tensor], t.add in overridable[t], t.ones in overridable[t])
    log(t.ones in t.overrides.get_ignored_functions())
    log(t.overrides.get_testing_overrides()[t.add](1, 2))


def with_dispatch(t, log):
    x = t.ones(2, requires_grad=True)
    with function_mode(t, log), logging_mode(t, log, "dispatch"):
        (x * 2).sum().backward()


def switches_of_gradients(t, log):
    with function_mode(t, log), function_mode(t, log, "inner"):
        with t.no_grad():
            log(t.is_grad_enabled())
        with t.enable_grad(), t.set_grad_enabled(False):
            log(t.is_grad_enabled())
        t.set_grad_enabled(True)
        t.no_grad()(lambda: log(t.is_grad_enabled()))()
        with t.inference_mode():
            log(t.is_grad_enabled())


def questions_about_types(t, log):
    with function_mode(t, log):
        log(t.promote_types(t.int32, t.float32), t.can_cast(t.float32, t.int32))
        log(t.result_type(1, 2.0), t.result_type(t.ones(2), 1))
        log(t.device("cpu"), t.device("meta", 0), t.finfo(t.float32).bits)


def default_devices(t, log):
    with t.device("meta"), function_mode(t, log):
        log(t.ones(2).device, t.ones(2, device="cpu").device)
    with function_mode(t, log), t.device("meta"):
        log(t.ones(2).device, t.tensor([1]).device, t.arange(2).device)
        log(t.zeros_like(t.empty(2, device="cpu")).device)

    class Makes(t.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            log(func.__name__, kwargs, t.empty(1).device)
            return func(*args, **(kwargs or {}))

    with t.device("meta"), Makes(), t.device("cpu"), Makes():
        log(t.ones(1).device)
    log(t.ones(1).device)


def stacks_with_default_devices(t, log):
    def stack():
        found = [t._C._get_function_stack_at(i) for i in range(t._C._len_torch_function_stack())]
        log([getattr(m, "device", "mode") for m in found])

    try:
        t.set_default_device("meta")
        stack()
        with t.overrides.BaseTorchFunctionMode():
            t.set_default_device("cpu")
            stack()
            with t.device("meta"):
                stack()
        stack()
    finally:
        t.set_default_device(None)
    stack()


def setters(t, log):
    x, z = t.ones(2), t.zeros(2, dtype=t.complex64)
    with function_mode(t, log):
        x.requires_grad = True
        x.grad = t.ones(2)
        x.grad = None
        x.data = t.zeros(2)
        z.real, z.imag = t.ones(2), 2
        log(x.requires_grad, x.grad, x.data, z.real, z.imag)
        x.set_(t.ones(2)) if not x.requires_grad else None
        x.detach().set_(t.ones(2))


def a_method_by_its_full_name(t, log):
    """The class of the argument counts, not the way that leads to the method."""
    x = t.ones(2, 2).as_subclass(logging_class(t, log))
    for method in (t.Tensor.size, t.Tensor.dim, t.Tensor.tolist, t.Tensor.shape.__get__):
        log(method(x))
    log(t.Tensor.type_as(t.ones(2), x), t.Tensor.stride(x, 0), t.Tensor.requires_grad.__get__(x))


def wrappers_in_wrappers(t, log):
    """A handler that hands on to an instance of another overriding class."""
    inner_class = logging_class(t, log)

    class Outer:
        def __init__(self, inner):
            self.inner = inner

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log("outer", t.overrides.resolve_name(func), types)
            return func(*[a.inner if isinstance(a, Outer) else a for a in args])

    outer = Outer(t.ones(2).as_subclass(inner_class))
    log(t.add(outer, 1), t.Tensor.mul(t.ones(2), outer), t.nn.functional.relu(outer))


def one_hop_is_skipped(t, log):
    def scaled(a, b):
        if t.overrides.has_torch_function((a, b)):
            return t.overrides.handle_torch_function(scaled, (a, b), a, b)
        return a * b + 1

    class Sub(t.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log(func.__name__, types)
            return t.overrides.redispatch_function(func, types, args, kwargs)

    class Mode(t.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            log("mode", func.__name__, types)
            with self:
                return t.overrides.redispatch_function(func, types, args, kwargs)

    x = t.ones(2).as_subclass(Sub)
    scaled(x, x), x.relu(), x.shape
    with Mode():
        scaled(t.ones(2), t.ones(2)), t.ones(2).add(1), t.ones(2).shape
    t.overrides.redispatch_function(t.add, (), (t.ones(2), 1), None)
    x.sum()


def gradients_of_tuples(t, log):
    w = t.ones(2, requires_grad=True)
    with function_mode(t, log):
        t.autograd.grad((w * w).sum(), [w])
        t.autograd.backward([(w * w).sum()], inputs=(w,))
        (w * w).sum().backward(inputs=[w])


def gradients_of_objects(t, log):
    """Objects that are no tensors take over too, alone or in a tuple."""

    class Taking:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log(func.__name__, [kind.__name__ for kind in types], len(args), sorted(kwargs or {}))
            return "taken"

    one, w = Taking(), t.ones(2, requires_grad=True)
    for call in (
        lambda: t.autograd.grad(one, w),
        lambda: t.autograd.grad(w, one),
        lambda: t.autograd.grad([one, w], (w, one)),
        lambda: t.autograd.backward(one),
        lambda: t.autograd.backward([w], inputs=[one]),
        lambda: t.autograd.backward(one, one, inputs=w),
    ):
        log(call())
    own = t.ones(2, requires_grad=True).as_subclass(type("Own", (t.Tensor,), {}))
    seen = own * 2
    with function_mode(t, log):
        seen.sum().backward(t.tensor(1.0), inputs=[own])


def beginnings(t, log):
    with function_mode(t, log):
        t.nn.init.uniform_(t.ones(2, 2)), t.nn.init.normal_(t.ones(2, 2), std=2.0)
        t.nn.init.xavier_uniform_(t.ones(2, 2)), t.nn.init.kaiming_normal_(t.ones(2, 2))
        t.nn.init.kaiming_uniform_(t.ones(2, 2, 2)), t.nn.init.constant_(t.ones(2), 1.0)


PROGRAMS = [
    operators, methods_and_properties, functions, nested_modes, reentrant, subclasses,
    plain_subclasses, overridden_members, handled_by_table, refusals, refusing_modes, objects,
    own_functions, operators_called_directly,
    operators_of_ones_own, names, with_dispatch, switches_of_gradients, questions_about_types,
    default_devices, stacks_with_default_devices, setters, a_method_by_its_full_name,
    wrappers_in_wrappers, one_hop_is_skipped, gradients_of_tuples, gradients_of_objects, beginnings,
    handlers_of_no_mode,
]  # fmt: skip
