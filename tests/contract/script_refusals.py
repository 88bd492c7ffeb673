"""Functions of either framework that are no scripts."""


class _Plain:
    """A class of which scripts know nothing."""


LIMIT = 3


def refused(t):
    """Functions that scripts refuse."""
    Tensor = t.Tensor

    def generator(x):
        return sum(i for i in x)

    def lambdas(x):
        f = lambda y: y + 1  # noqa: E731
        return f(x)

    def tries(x):
        try:
            return x
        except Exception:
            return x + 1

    def undefined(x):
        return x + missing  # noqa: F821

    def retyped(x):
        y = 1
        if x.sum() > 0:
            y = "a"
        return y

    def results(x):
        if x.sum() > 0:
            return 1
        return "a"

    def declared(x) -> int:
        return x

    def unknown_method(x):
        return x.no_such_method()

    def unknown_type(x: "NoSuchType"):  # noqa: F821
        return x

    def arguments(x):
        return t.add("a", x)

    def one_overload(x):
        return t.dropout(x, "a", True)

    def global_number(x):
        return x + LIMIT

    def variable(*args):
        return args[0]

    def mutable(x, k: list[int] = [1]):
        return x

    def unpacked(x):
        a, b = (x, x, x)
        return a, b

    def half_defined(x):
        if x.sum() > 0:
            y = 1
        return y

    def nested_def(x):
        def inner(y):
            return y

        return inner(x)

    def classes(x):
        class A:
            pass

        return x

    def deleted(x):
        yield x

    def called(x):
        return early(x, 1, 2)

    def early(x, y: int):
        return x + y

    def missing_argument(x):
        return early(x)

    def optional(x: Tensor | None):
        return x + 1

    def outside(x):
        if x:
            return
        break_ = x.foo
        return break_

    def tuples(x):
        return (x, 1)[2]

    def lists(x):
        return [1, "a"]

    def strings(x: str) -> float:
        return x

    def no_return(x) -> int:
        x + 1

    def keyword_only(x, *, k: int = 1):
        return x + k

    def wrong_default(x, k=1):
        return x

    def itself(x):
        return itself(x)

    def walrus(x):
        if (y := x.sum()) > 0:
            return y
        return x

    def sets(x):
        return {1, 2}

    def imports(x):
        import os

        return os

    def with_else(x):
        for _ in range(3):
            x = x + 1
        else:
            x = x - 1
        return x

    def attribute(x):
        x.foo = 3
        return x

    return [
        keyword_only, wrong_default, itself, walrus, sets, imports, with_else, attribute,
        generator, lambdas, tries, undefined, retyped, results, declared, unknown_method,
        unknown_type, arguments, one_overload, global_number, variable, mutable, unpacked,
        half_defined, nested_def, classes, deleted, called, missing_argument, optional, outside,
        tuples, lists, strings, no_return,
    ]  # fmt: skip
