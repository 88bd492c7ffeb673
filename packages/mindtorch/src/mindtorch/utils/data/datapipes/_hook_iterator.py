"""One iterator per pipe: a new one makes the one before invalid, and whoever goes on is told."""

from __future__ import annotations

import functools
import inspect
from enum import Enum
from typing import Any


class _SnapshotState(Enum):
    """Whether a pipe is being read: what it does on ``reset`` depends on that."""

    NotStarted = 0
    Restored = 1
    Iterating = 2


def _simplify_obj_name(obj: Any) -> str:
    return obj.__name__ if inspect.isfunction(obj) else repr(obj)


def _strip_datapipe_from_name(name: str) -> str:
    return name.replace("IterDataPipe", "").replace("MapDataPipe", "")


def _generate_input_args_string(obj: Any) -> str:
    """The arguments of *obj*'s class that it keeps as attributes, as a call would write them."""
    names = set(inspect.signature(obj.__class__).parameters)
    members = inspect.getmembers(obj)
    return ", ".join(f"{n}={_simplify_obj_name(value)}" for n, value in members if n in names)


def _generate_iterdatapipe_msg(datapipe: Any, simplify_dp_name: bool = False) -> str:
    text = f"{datapipe.__class__.__name__}({_generate_input_args_string(datapipe)})"
    return _strip_datapipe_from_name(text) if simplify_dp_name else text


def _gen_invalid_iterdatapipe_msg(datapipe: Any) -> str:
    return (
        "This iterator has been invalidated because another iterator has been created "
        f"from the same IterDataPipe: {_generate_iterdatapipe_msg(datapipe)}\n"
        "This may be caused by multiple references to the same IterDataPipe. "
        "We recommend using `.fork()` if that is necessary."
    )


_feedback_msg = (
    "\nFor feedback regarding this single iterator per IterDataPipe constraint, feel free "
    "to comment on this issue: https://github.com/pytorch/data/issues/45."
)


def _check_iterator_valid(
    datapipe: Any, iterator_id: int | None, next_method_exists: bool = False
) -> None:
    """Raise RuntimeError if a newer iterator of *datapipe* has taken this one's place."""
    if next_method_exists:
        # The pipe is its own iterator: only a second ``iter`` of it is one too many.
        if datapipe._valid_iterator_id is not None and datapipe._valid_iterator_id != 0:
            raise RuntimeError(
                _gen_invalid_iterdatapipe_msg(datapipe)
                + "\nNote that this exception is raised inside your IterDataPipe's a `__next__` "
                "method" + _feedback_msg
            )
    elif getattr(datapipe, "_is_child_datapipe", False) is True:
        if not hasattr(datapipe, "_check_valid_iterator_id"):
            raise RuntimeError("ChildDataPipe must have method `_check_valid_iterator_id`.")
        if not datapipe._check_valid_iterator_id(iterator_id):
            raise RuntimeError(
                "This iterator has been invalidated, because a new iterator has been created "
                "from one of the ChildDataPipes of "
                f"{_generate_iterdatapipe_msg(datapipe.main_datapipe)}." + _feedback_msg
            )
    elif datapipe._valid_iterator_id != iterator_id:
        raise RuntimeError(_gen_invalid_iterdatapipe_msg(datapipe) + _feedback_msg)


def _set_datapipe_valid_iterator_id(datapipe: Any) -> Any:
    """Begin an iterator of *datapipe*: its number, which is the only valid one from now on."""
    if getattr(datapipe, "_is_child_datapipe", False) is True:
        if not hasattr(datapipe, "_set_main_datapipe_valid_iterator_id"):
            raise RuntimeError(
                "ChildDataPipe must have method `_set_main_datapipe_valid_iterator_id`."
            )
        datapipe._set_main_datapipe_valid_iterator_id()
    else:
        last = datapipe._valid_iterator_id
        datapipe._valid_iterator_id = 0 if last is None else last + 1
        datapipe.reset()
    return datapipe._valid_iterator_id


def _say_where(error: Exception, datapipe: Any) -> None:
    """Add to the text of *error* which pipe it came from, unless an inner one has."""
    if not hasattr(error.args, "__len__"):
        return
    whose = f"thrown by __iter__ of {_generate_iterdatapipe_msg(datapipe)}"
    note = f"\nThis exception is {whose}"
    if not error.args or not isinstance(error.args[0], str):
        error.args = (note,)
    elif (
        "thrown by __iter__ of" not in error.args[0]
        and "single iterator per IterDataPipe constraint" not in error.args[0]
    ):
        error.args = (error.args[0] + note, *error.args[1:])


def hook_iterator(namespace: dict[str, Any]) -> None:
    """Replace ``__iter__`` in the body of a class of pipes by one that keeps count of iterators."""
    func = namespace["__iter__"]
    own_next = "__next__" in namespace

    class IteratorDecorator:
        """The iterator that an ``__iter__`` has returned, watched."""

        def __init__(
            self, iterator: Any, datapipe: Any, iterator_id: int, has_next_method: bool
        ) -> None:
            self.iterator = iterator
            self.datapipe = datapipe
            self.iterator_id = iterator_id
            self.self_and_has_next_method = self.iterator is self.datapipe and has_next_method

        def __iter__(self) -> IteratorDecorator:
            return self

        def __next__(self) -> Any:
            return self._get_next()

        def _get_next(self) -> Any:
            _check_iterator_valid(self.datapipe, self.iterator_id)
            value = next(self.iterator)
            # A pipe that is its own iterator counts by itself, see ``counted_next``.
            self.datapipe._number_of_samples_yielded += not self.self_and_has_next_method
            return value

        def __getattr__(self, name: str) -> Any:
            return getattr(self.iterator, name)

    if own_next:
        next_func = namespace["__next__"]

        @functools.wraps(next_func)
        def counted_next(*args: Any, **kwargs: Any) -> Any:
            datapipe = args[0]
            result = next_func(*args, **kwargs)
            datapipe._number_of_samples_yielded += 1
            return result

        namespace["__next__"] = counted_next

    if inspect.isgeneratorfunction(func):

        @functools.wraps(func)
        def generating(*args: Any, **kwargs: Any) -> Any:
            gen = func(*args, **kwargs)
            datapipe = args[0]
            if datapipe._fast_forward_iterator:
                ahead = datapipe._fast_forward_iterator
                datapipe._fast_forward_iterator = None
                datapipe._snapshot_state = _SnapshotState.Iterating
                yield from ahead
                return
            number = _set_datapipe_valid_iterator_id(datapipe)
            try:
                response = gen.send(None)
                while True:
                    datapipe._number_of_samples_yielded += 1
                    request = yield response
                    _check_iterator_valid(datapipe, number)
                    response = gen.send(request)
            except StopIteration:
                return
            except Exception as error:
                _say_where(error, datapipe)
                raise

        namespace["__iter__"] = generating
        return

    @functools.wraps(func)
    def returning(*args: Any, **kwargs: Any) -> Any:
        made = func(*args, **kwargs)
        datapipe = args[0]
        if datapipe._fast_forward_iterator:
            ahead = datapipe._fast_forward_iterator
            datapipe._fast_forward_iterator = None
            datapipe._snapshot_state = _SnapshotState.Iterating
            return ahead
        number = _set_datapipe_valid_iterator_id(datapipe)
        return IteratorDecorator(made, datapipe, number, own_next)

    namespace["__iter__"] = returning
