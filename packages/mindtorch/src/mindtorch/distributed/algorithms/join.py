"""``Join``: training with uneven inputs, where processes that are done shadow the others."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Any, NamedTuple

from ...aten import torch
from .. import distributed_c10d as dist

__all__ = ["Join", "JoinHook", "Joinable"]


class JoinHook:
    """What a process does that is done, while others are not, and after all."""

    def main_hook(self) -> None:
        """Called again and again while another process trains."""

    def post_hook(self, is_last_joiner: bool) -> None:
        """Called once when all are done."""


class _JoinConfig(NamedTuple):
    enable: bool
    throw_on_early_termination: bool
    is_first_joinable: bool

    @staticmethod
    def construct_disabled_join_config() -> _JoinConfig:
        """Of what is in no join."""
        return _JoinConfig(False, False, False)


class Joinable(ABC):
    """What can be in a ``Join``."""

    @abstractmethod
    def __init__(self) -> None:
        super().__init__()
        self._join_config = _JoinConfig.construct_disabled_join_config()

    @abstractmethod
    def join_hook(self, **kwargs: Any) -> JoinHook:
        """The hook of it."""
        ...

    @property
    @abstractmethod
    def join_device(self) -> Any:
        """The device that collectives are on."""
        ...

    @property
    @abstractmethod
    def join_process_group(self) -> Any:
        """The group that collectives are of."""
        ...


class Join:
    """A context in which processes may have different numbers of inputs."""

    def __init__(
        self,
        joinables: list[Joinable],
        enable: bool = True,
        throw_on_early_termination: bool = False,
        **kwargs: Any,
    ) -> None:
        if len(joinables) == 0:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables = joinables
        self._join_hooks = [j.join_hook(**kwargs) for j in joinables]
        self._throw_on_early_termination, self._enable = throw_on_early_termination, enable
        self._set_joinable_configs()
        self._extract_dist_info()

    def _set_joinable_configs(self) -> None:
        for i, joinable in enumerate(self._joinables):
            joinable._join_config = _JoinConfig(
                self._enable, self._throw_on_early_termination, i == 0
            )

    def _extract_dist_info(self) -> None:
        process_group, *others = [joinable.join_process_group for joinable in self._joinables]
        if any(other != process_group for other in others):
            raise ValueError("Using join context manager with multiple process groups")
        devices = [joinable.join_device for joinable in self._joinables]
        device = next((each for each in devices if each is not None), None)
        self._process_group = process_group
        self._rank = dist.get_rank(process_group)
        self._device = device

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._enable or type:
            return
        is_last_joiner, iterations = True, 0
        while True:
            training = self._get_num_nonjoined_procs()
            if not training:
                break
            if self._throw_on_early_termination:
                self._notify_procs_to_terminate()
            for hook in self._join_hooks:
                hook.main_hook()
            is_last_joiner = False
            iterations += 1
            if iterations == 1000:
                warnings.warn(
                    f"Detected uneven input skew of greater than {iterations}. This means that "
                    f"rank {self._rank} has at least {iterations} fewer inputs than other "
                    "currently-active ranks."
                )
        for hook in self._join_hooks:
            hook.post_hook(is_last_joiner)

    def _get_num_nonjoined_procs(self) -> int:
        count = torch.zeros(1, device=self._device)
        dist.all_reduce(count, group=self._process_group)
        return int(count.item())

    def _notify_procs_to_terminate(self) -> None:
        ones = torch.ones(1, device=self._device)
        dist.all_reduce(ones, group=self._process_group)
        raise RuntimeError(f"Rank {self._rank} exhausted all inputs.")

    @staticmethod
    def notify_join_context(joinable: Joinable) -> Any:
        """Tell those who are done that this process has another input; the work of it."""
        if not hasattr(joinable, "_join_config"):
            raise AssertionError(
                f"Check that the {type(joinable)} constructor calls the ``Joinable`` constructor"
            )
        config = joinable._join_config
        if not config.is_first_joinable or not config.enable:
            return None
        device, group = joinable.join_device, joinable.join_process_group
        ones = torch.ones(1, device=device)
        work = dist.all_reduce(ones, group=group, async_op=True)
        if config.throw_on_early_termination:
            zeros = torch.zeros(1, device=device)
            dist.all_reduce(zeros, group=group)
            if zeros.item():
                raise RuntimeError(
                    "Detected at least one rank that exhausted inputs. Throwing across all ranks."
                )
        return work
