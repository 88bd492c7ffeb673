"""Programs with dispatch modes and subclasses: what they write down is what torch's write down."""

from __future__ import annotations

import threading
import weakref

import mindtorch
import mindtorch.overrides
import mindtorch.utils._mode_utils
import mindtorch.utils._python_dispatch
import pytest

from .logs import Log, assert_same_log


def logging_mode(t, log, name="mode"):
    """A mode that writes down every operator with its arguments, and runs it."""

    class Logging(t.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            log(name, str(func), args, kwargs, types)
            return func(*args, **(kwargs or {}))

    return Logging()


def logging_tensor(t, log):
    """The wrapper class of torch's own tests: keeps a plain tensor, writes down every operator."""

    class LoggingTensor(t.Tensor):
        @staticmethod
        def __new__(cls, elem):
            return t.Tensor._make_wrapper_subclass(
                cls, elem.size(), strides=elem.stride(), dtype=elem.dtype,
                device=elem.device, requires_grad=elem.requires_grad,
            )  # fmt: skip

        def __init__(self, elem):
            self.elem = elem.detach() if elem.requires_grad else elem

        __torch_function__ = t._C._disabled_torch_function_impl

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            log(str(func), args, kwargs, types)

            def unwrapped(value):
                if isinstance(value, list):
                    return [unwrapped(v) for v in value]
                return value.elem if isinstance(value, cls) else value

            kwargs = {k: unwrapped(v) for k, v in (kwargs or {}).items()}
            out = func(*map(unwrapped, args), **kwargs)
            if isinstance(out, (list, tuple)):
                return type(out)([cls(o) if isinstance(o, t.Tensor) else o for o in out])
            return cls(out) if isinstance(out, t.Tensor) else out

        def __repr__(self):
            return f"LoggingTensor({self.elem})"

    return LoggingTensor


# Programs -----------------------------------------------------------------------------------------


def forward_and_backward(t, log):
    x = t.ones(2, 3, requires_grad=True)
    w = t.full((3, 2), 0.5)
    with logging_mode(t, log):
        ((x @ w).relu() * 2 + 1).tanh().sum().backward()
        log(x.grad, round(x.grad.sum().item(), 5))
        (x.exp() / (1 + x)).mean(0).sum().backward()


def views_in_place_out_and_factories(t, log):
    with logging_mode(t, log):
        a = t.zeros(2, 3)
        b = a[0]
        b += 1
        a.view(-1)[1:].mul_(2)
        t.add(a, a, out=t.empty(2, 3))
        a[:, 1] = 3
        a[a > 1] = 0.0
        t.cat([a, a]).split(2)
        t.arange(3).float().requires_grad_()
        t.tensor([1.0]).item()
        t.max(a, 0)
        log(a._version, b._is_view(), b._base is a)


def stacks(t, log):
    x = t.ones(2)
    outer, inner = logging_mode(t, log, "outer"), logging_mode(t, log, "inner")
    current = t.utils._python_dispatch._get_current_dispatch_mode
    with outer:
        with inner:
            x + x
            log(current() is inner, t._C._len_torch_dispatch_stack())
            with outer:
                x * x
            with t.utils._python_dispatch._pop_mode_temporarily() as popped:
                log(popped is inner, current() is outer)
                x - x
            with t.utils._python_dispatch._disable_current_modes() as modes:
                log(len(modes), t._C._len_torch_dispatch_stack())
                x / x
            with t.utils._mode_utils.no_dispatch():
                x.neg()
        log(current() is outer)
    log(current(), t._C._len_torch_dispatch_stack())


def reentrant(t, log):
    class Mode(t.utils._python_dispatch.TorchDispatchMode):
        depth = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            log(self.depth, str(func))
            if self.depth < 2:
                self.depth += 1
                with self:
                    out = func(*args, **(kwargs or {}))
                self.depth -= 1
                return out
            return func(*args, **(kwargs or {}))

    with Mode():
        t.ones(2) + 1


def composites_are_decomposed(t, log):
    x = t.ones(2, 2)
    with logging_mode(t, log):
        t.matmul(x, x)
        t.nn.functional.linear(x, x, x[0])
        x.flatten()
        t.nn.functional.cross_entropy(x, t.tensor([0, 1]))
        t.ops.aten.matmul.default(x, x)
        t.ops.aten.add.Tensor(x, 1, alpha=1)
        t.ops.aten.add(x, x, alpha=2)


def grad_mode_inside(t, log):
    class Mode(t.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            log(str(func), t.is_grad_enabled(), out.requires_grad, out.grad_fn is None)
            return out

    x = t.ones(2, requires_grad=True)
    with Mode():
        y = x * 2
        y.backward(t.ones(2))
    log(y.requires_grad, type(y.grad_fn).__name__)


def refusals(t, log):
    def mode(answer):
        class Mode(t.utils._python_dispatch.TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                return answer

            def __repr__(self):
                return "<mode>"

        return Mode()

    x = t.ones(2)
    for answer in (NotImplemented, 3, None):
        with mode(answer):
            log.error(lambda: x + x)
            log.error(lambda: t.cat([x, x]))
            log.error(lambda: x.split(1))
            log.error(lambda: x.add_(1))

    class Sub(t.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    class Finer(Sub):
        pass

    for one, two in ((Sub, Finer), (Finer, Sub)):
        a, b = (t.Tensor._make_subclass(c, t.ones(2)) for c in (one, two))
        log.error(lambda: t.ops.aten.cat.default([a, b]))
        log.error(lambda: a + x)


def errors_leave_the_stack(t, log):
    class Failing(t.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise ValueError("from the mode")

    x = t.ones(2, requires_grad=True)
    for _ in range(2):
        with pytest.raises(ValueError, match="from the mode"), Failing():
            x * 2
        log(t._C._len_torch_dispatch_stack(), (x * 2).requires_grad)
        log(str(t._C._dispatch_tls_local_include_set()).count("Python"))


def generators(t, log):
    def numbers():
        with logging_mode(t, log, "generator"):
            yield t.ones(1) + 1
            yield t.ones(1) + 2

    made = numbers()
    next(made)
    t.ones(1) * 3
    log(t._C._len_torch_dispatch_stack())
    next(made)
    made.close()
    t.ones(1) * 4
    log(t._C._len_torch_dispatch_stack())


def wrappers(t, log):
    cls = logging_tensor(t, log)
    x = cls(t.ones(2, 3, requires_grad=True))
    y = (x * 2 + 1).relu().sum()
    log(type(y), y.requires_grad, type(y.grad_fn).__name__)
    y.backward()
    log(type(x.grad), x.grad.elem.tolist())
    log(x.shape, x.stride(), str(x.dtype), str(x.device), x.is_leaf)
    log(type(x.detach()), type(x.t()), type(x[0]), type(t.cat([x, x])), x.sum().item())
    x.detach().add_(1)
    x.max(0)
    x.unbind()
    log.error(x.tolist)
    log.error(lambda: x.detach().numpy())
    with logging_mode(t, log, "mode"):
        x.exp()


def subclasses_with_memory(t, log):
    class Sub(t.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            log(str(func), types)
            with t._C._DisableTorchDispatch():
                return func(*args, **(kwargs or {}))

    data = t.ones(2)
    s = t.Tensor._make_subclass(Sub, data)
    log(type(s + 1), type(s.add_(1)), data.tolist(), s._is_view(), s.data_ptr() == data.data_ptr())
    log(type(t.nn.Parameter(data)), type(s.as_subclass(t.Tensor)))


def making_subclasses(t, log):
    class Sub(t.Tensor):
        pass

    class Seen(t.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return func(*args)

    wrapper, make = t.Tensor._make_wrapper_subclass, t.Tensor._make_subclass
    for call in (
        lambda: wrapper(int, (2,)),
        lambda: wrapper(Sub, (2,)),
        lambda: wrapper(Seen),
        lambda: wrapper(Seen, 2),
        lambda: wrapper(Seen, (2,), strides=(1, 2)),
        lambda: wrapper(Seen, (2,), nothing=1),
        lambda: make(int, t.ones(2)),
        lambda: make(Sub, 3),
        lambda: make(Sub, t.ones(2, dtype=t.int64), True),
        lambda: t.ones(2).as_subclass(int),
    ):
        log.error(call)
    w = wrapper(Seen, (2, 3), dtype=t.float64, requires_grad=True)
    log(w.shape, w.stride(), str(w.dtype), w.requires_grad, w.is_leaf, w.data_ptr(), w._version)
    w = wrapper(Seen, (2, 3), strides=(1, 2), device="meta")
    log(w.stride(), str(w.device))
    s = make(Sub, t.ones(2, requires_grad=True) * 2, True)
    log(s.requires_grad, s.grad_fn, s._is_view())
    s = (t.ones(2, requires_grad=True) * 2).as_subclass(Sub)
    log(type(s), type(s.grad_fn).__name__)


def aliasing(t, log):
    helpers = t.utils._python_dispatch

    class Twice(t.Tensor):
        @staticmethod
        def __new__(cls, a, b):
            return t.Tensor._make_wrapper_subclass(cls, a.shape, dtype=a.dtype)

        def __init__(self, a, b):
            self.a, self.b = a, b

        __torch_function__ = t._C._disabled_torch_function_impl

        def __tensor_flatten__(self):
            return ["a", "b"], None

        @staticmethod
        def __tensor_unflatten__(inner, context, size, stride):
            return Twice(inner["a"], inner["b"])

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            first = [x.a if isinstance(x, cls) else x for x in args]
            second = [x.b if isinstance(x, cls) else x for x in args]
            out = cls(func(*first), func(*second))
            return helpers.return_and_correct_aliasing(func, args, kwargs or {}, out)

    x = Twice(t.ones(2, 3), t.zeros(2, 3))
    log(helpers.is_traceable_wrapper_subclass(x), helpers.is_traceable_wrapper_subclass(x.a))
    y = x.add_(1)
    log(y is x, x.a.tolist(), x.b.tolist())
    v = x.view(6)
    log(type(v), v.a.shape)
    same = v.untyped_storage()._cdata == x.untyped_storage()._cdata
    log(same)
    doubled = helpers.transform_subclass(x, lambda name, inner: inner * 2)
    log(type(doubled), doubled.a.tolist(), doubled.b.tolist())
    turned = (
        lambda x: x.t_(),
        lambda x: x.unsqueeze_(1),
        lambda x: x.squeeze_(),
        lambda x: x.transpose_(0, 1),
        lambda x: x.as_strided_((2,), (3,), 1),
        lambda x: x.resize_(2),
        lambda x: x.resize_(7),
        lambda x: x.resize_as_(t.ones(5)),
        lambda x: x.set_(x.t()),
        lambda x: x.detach_(),
    )
    for change in turned:
        x = Twice(t.ones(2, 3), t.zeros(2, 3))
        same = change(x)
        log(same is x, x.shape, x.stride(), x.storage_offset(), x.a.shape, x._version)
        log((x + 1).shape, x.sum().shape)


def modes_before_autograd(t, log):
    """Only torch's own may be: a program's is refused when it is entered."""

    class Mode(t.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    def enter(key):
        with Mode(_dispatch_key=key):
            log("entered")

    for key in ("PreDispatch", "Python", "CPU"):
        log.error(lambda key=key: enter(getattr(t._C.DispatchKey, key)))
    log.error(lambda: Mode(_dispatch_key="PreDispatch"))
    log(len(t.utils._python_dispatch._get_current_dispatch_mode_stack()))


PROGRAMS = [
    modes_before_autograd, forward_and_backward, views_in_place_out_and_factories, stacks,
    reentrant,
    composites_are_decomposed, grad_mode_inside, refusals, errors_leave_the_stack, generators,
    wrappers, subclasses_with_memory, making_subclasses, aliasing,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_a_program_writes_down_what_it_writes_down_with_torch(program):
    """The same lines, in the same order."""
    assert_same_log(program)


# What torch cannot be asked -----------------------------------------------------------------------


def test_modes_are_each_threads_own():
    """A mode of one thread sees nothing of another's calls."""
    log = Log()
    started, done = threading.Event(), threading.Event()
    seen = []

    def other():
        started.wait()
        mindtorch.ones(2) + 1
        seen.append(mindtorch._C._len_torch_dispatch_stack())
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    with logging_mode(mindtorch, log):
        started.set()
        done.wait()
    thread.join()
    assert not log and seen == [0]


def test_an_inactive_mode_leaves_the_threads_state_as_it_was():
    """After the last mode the state word is the one of a thread that never had one."""
    from mindtorch_dispatch import tls

    before = tls.state.get()
    with logging_mode(mindtorch, Log()):
        assert tls.state.get() != before
        mindtorch.ones(2) + 1
    assert tls.state.get() == before


def test_a_mode_and_what_it_saw_can_be_forgotten():
    """Tables keep no mode alive."""
    mode = logging_mode(mindtorch, Log())
    with mode:
        mindtorch.ones(2).relu()
    gone = weakref.ref(mode)
    del mode
    assert gone() is None


def test_a_wrapper_without_its_class_has_no_memory_to_read():
    """Under no_dispatch a kernel refuses, where torch crashes."""
    cls = logging_tensor(mindtorch, Log())
    x = cls(mindtorch.ones(2))
    with mindtorch.utils._mode_utils.no_dispatch():
        with pytest.raises(RuntimeError, match="its data is not allocated yet"):
            x + 1
        with pytest.raises(RuntimeError, match="its data is not allocated yet"):
            x.sum().item()


def test_infrastructure_modes_lie_below_all_others():
    """A mode with a slot sees calls last, and there is one of a kind."""
    key = mindtorch._C._TorchDispatchModeKey
    log = Log()
    low, high = logging_mode(mindtorch, log, "proxy"), logging_mode(mindtorch, log, "plain")
    low._mode_key = key.PROXY
    with high, low:
        mindtorch.ones(1).neg()
        assert mindtorch._C._get_dispatch_mode(key.PROXY) is low
        with pytest.raises(AssertionError, match="already exists"):
            mindtorch._C._set_dispatch_mode(low)
    assert [line[0] for line in log] == ["plain", "proxy"] * 2
    assert mindtorch._C._get_dispatch_mode(key.PROXY) is None
