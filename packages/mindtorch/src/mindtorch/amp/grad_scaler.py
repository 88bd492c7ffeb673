"""``GradScaler``: losses are scaled up, so that small gradients outlive reduced precision."""

from __future__ import annotations

import inspect
import itertools
from collections import abc, defaultdict
from enum import Enum
from typing import Any, ClassVar

from mindtorch_storage.device import CUDA

from ..aten import torch
from ..core.module_names import spelled_out
from ..core.warning import warn

__all__ = ["OptState", "GradScaler"]


class _MultiDeviceReplicator:
    """One tensor, and a copy of it on each device that asks.

    :param master_tensor: what the copies are made of.
    """

    def __init__(self, master_tensor: torch.Tensor) -> None:
        self.master = master_tensor
        self._per_device_tensors: dict[Any, torch.Tensor] = {}

    def get(self, device: Any) -> torch.Tensor:
        """The tensor on *device*."""
        found = self._per_device_tensors.get(device)
        if found is None:
            found = self.master.to(device=device, non_blocking=True, copy=True)
            self._per_device_tensors[device] = found
        return found


class OptState(Enum):
    """How far an optimizer is since the last update of the scale."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _refresh_per_optimizer_state() -> dict[str, Any]:
    """What is known of an optimizer that has done nothing yet."""
    return {"stage": OptState.READY, "found_inf_per_device": {}}


# What stays as it was given, unless somebody sets it.
_SETTINGS = ("growth_factor", "backoff_factor", "growth_interval")


class GradScaler:
    """Scales losses, unscales gradients, and leaves out steps whose gradients are not finite.

    The scale grows after *growth_interval* steps without overflow, and shrinks after one with it.

    :param device: type of the devices of the gradients.
    :param init_scale: the scale at first.
    :param growth_factor: the scale is multiplied by it to grow.
    :param backoff_factor: the scale is multiplied by it to shrink.
    :param growth_interval: so many steps must have been good.
    :param enabled: False makes all methods do nothing; :meth:`step` calls the optimizer's.

    Raises AssertionError for factors that do not grow or shrink.
    """

    def __init__(
        self,
        device: str = CUDA,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if device == CUDA and enabled and not torch.get_device_module(CUDA).is_available():
            warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
            )
            self._enabled = False
        if not self._enabled:
            return
        if not growth_factor > 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if not backoff_factor < 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        # Scale and count are made on the device of the first loss.
        self._scale: torch.Tensor | None = None
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval, self._init_growth_tracker = growth_interval, 0
        self._growth_tracker: torch.Tensor | None = None
        self._per_optimizer_states: defaultdict[int, dict[str, Any]] = defaultdict(
            _refresh_per_optimizer_state
        )

    def _check_scale_growth_tracker(self, funcname: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Scale and count of good steps. Raises AssertionError where nothing was scaled yet."""
        hint = (
            "This may indicate your script did not use scaler.scale(loss or outputs) earlier in "
            "the iteration."
        )
        if self._scale is None:
            raise AssertionError(f"Attempted {funcname} but _scale is None.  {hint}")
        if self._growth_tracker is None:
            raise AssertionError(f"Attempted {funcname} but _growth_tracker is None.  {hint}")
        return self._scale, self._growth_tracker

    def _lazy_init_scale_growth_tracker(self, dev: Any) -> None:
        if self._growth_tracker is not None:
            raise AssertionError("_growth_tracker initialized before _scale")
        self._growth_tracker = torch.full(
            (), self._init_growth_tracker, dtype=torch.int32, device=dev
        )
        self._scale = torch.full((), self._init_scale, dtype=torch.float32, device=dev)

    def _scale_for_(self, first: torch.Tensor) -> torch.Tensor:
        """The scale, which is made beside the *first* tensor that asks."""
        if self._scale is None:
            self._lazy_init_scale_growth_tracker(first.device)
        if self._scale is None:
            raise AssertionError("_scale should not be None after lazy init")
        return self._scale

    def scale(self, outputs: Any) -> Any:
        """*outputs*, a tensor or nested iterables of tensors, times the scale.

        Raises ValueError for anything else. Without scaling they come back as they are.
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, torch.Tensor):
            return outputs * self._scale_for_(outputs).to(outputs.device, non_blocking=True)
        return self._scaled_(outputs, [])

    def _scaled_(self, value: Any, copies: list[_MultiDeviceReplicator]) -> Any:
        """*value* times the scale; its *copies* are made for the first tensor."""
        if isinstance(value, torch.Tensor):
            tensor: Any = value
            if not copies:
                copies.append(_MultiDeviceReplicator(self._scale_for_(value)))
            return tensor * copies[0].get(tensor.device)
        if isinstance(value, abc.Iterable):
            parts = map(lambda part: self._scaled_(part, copies), value)
            return type(value)(parts) if isinstance(value, (list, tuple)) else parts
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _unscale_grads_(
        self,
        optimizer: Any,
        inv_scale: torch.Tensor,
        found_inf: torch.Tensor,
        allow_fp16: bool,
    ) -> dict[Any, torch.Tensor]:
        """Multiply the gradients by *inv_scale*; what was found by device, as a tensor each."""
        factors, finds = _MultiDeviceReplicator(inv_scale), _MultiDeviceReplicator(found_inf)
        alike: dict[tuple[Any, Any], list[torch.Tensor]] = {}
        for param in itertools.chain(*(group["params"] for group in optimizer.param_groups)):
            if not isinstance(param, torch.Tensor):
                raise AssertionError(f"expected param to be torch.Tensor, got {type(param)}")
            grad = param.grad
            if grad is not None:
                if grad.dtype == torch.float16 and not allow_fp16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                alike.setdefault((grad.device, grad.dtype), []).append(grad)
        with torch.no_grad():
            for (device, _), grads in alike.items():
                torch._amp_foreach_non_finite_check_and_unscale_(
                    grads, finds.get(device), factors.get(device)
                )
        return finds._per_device_tensors

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of *optimizer*'s parameters by the scale, to look at or clip them.

        Raises RuntimeError where that was done since the last :meth:`update`.
        """
        if not self._enabled:
            return
        self._check_scale_growth_tracker("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        if self._scale is None:
            raise AssertionError("_scale is None in unscale_")
        # The reciprocal is exact in double precision, where the scale may have become odd.
        inverse = self._scale.double().reciprocal().float()
        found_inf = torch.full((), 0.0, dtype=torch.float32, device=self._scale.device)
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, inverse, found_inf, False)
        state["stage"] = OptState.UNSCALED

    def _maybe_opt_step(
        self, optimizer: Any, optimizer_state: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        """The optimizer's step, unless some gradient was not finite."""
        if sum(found.item() for found in optimizer_state["found_inf_per_device"].values()):
            return None
        return optimizer.step(*args, **kwargs)

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Unscale, where :meth:`unscale_` has not; then the optimizer's step if all is finite.

        Returns what ``optimizer.step(*args, **kwargs)`` returns, None where it was left out.
        Raises RuntimeError for a closure, and for a second step before :meth:`update`.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_scale_growth_tracker("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            return self._step_by_itself_(optimizer, state, args, kwargs)
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = self._maybe_opt_step(optimizer, state, *args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def _step_by_itself_(
        self,
        optimizer: Any,
        state: dict[str, Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """The step of an optimizer that unscales, and leaves out what is not finite, itself."""
        takes_scaler = "grad_scaler" in inspect.signature(optimizer.step).parameters
        if takes_scaler:
            warn(
                "GradScaler is going to stop passing itself as a keyword argument to the passed "
                "optimizer. In the near future GradScaler registers `grad_scale: Tensor` and "
                "`found_inf: Tensor` to the passed optimizer and let the optimizer use them "
                "directly.",
                FutureWarning,
            )
            kwargs = {**kwargs, "grad_scaler": self}
        else:
            if state["stage"] is OptState.READY:
                self._check_inf_per_device(optimizer)
            scaler: Any = self._get_scale_async()
            if scaler is None:
                raise AssertionError("_get_scale_async returned None")
            found: Any = sum(
                t.to(scaler.device, non_blocking=True)
                for t in state["found_inf_per_device"].values()
            )
            # A scale of the optimizer's own holds besides.
            optimizer.grad_scale = (
                getattr(optimizer, "grad_scale", None)
                if state["stage"] is OptState.UNSCALED
                else scaler * getattr(optimizer, "grad_scale", 1)
            )
            optimizer.found_inf = found
        result = optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        if not takes_scaler:
            del optimizer.grad_scale
            del optimizer.found_inf
        return result

    def update(self, new_scale: float | torch.Tensor | None = None) -> None:
        """Let the scale grow or shrink by what the steps since the last update found.

        :param new_scale: set the scale to it instead.
        """
        if not self._enabled:
            return
        scale, tracker = self._check_scale_growth_tracker("update")
        if new_scale is not None:
            self._set_scale_(new_scale)
        else:
            found = [
                found_inf.to(device=scale.device, non_blocking=True)
                for state in self._per_optimizer_states.values()
                for found_inf in state["found_inf_per_device"].values()
            ]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            combined = found[0]
            for more in found[1:]:
                combined = combined + more
            torch._amp_update_scale_(
                scale,
                tracker,
                combined,
                self._growth_factor,
                self._backoff_factor,
                self._growth_interval,
            )
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _set_scale_(self, new_scale: Any) -> None:
        scale: Any = self._scale
        if isinstance(new_scale, float):
            scale.fill_(new_scale)
            return
        reason = (
            "new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
            "torch.FloatTensor with requires_grad=False."
        )
        fits = new_scale.device.type == self._device and new_scale.numel() == 1
        if not fits or new_scale.requires_grad:
            raise AssertionError(reason)
        scale.copy_(new_scale)

    def _get_scale_async(self) -> torch.Tensor | None:
        return self._scale

    def get_scale(self) -> float:
        """The scale, a Python number: the host waits for the device. 1.0 where disabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def get_growth_factor(self) -> float:
        """What the scale is multiplied by to grow."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set what the scale is multiplied by to grow."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the scale is multiplied by to shrink."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set what the scale is multiplied by to shrink."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """How many good steps let the scale grow."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set how many good steps let the scale grow."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        if self._growth_tracker is None:
            return self._init_growth_tracker
        return int(self._growth_tracker.item())

    def is_enabled(self) -> bool:
        """Whether anything is scaled."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """Scale, factors and the count of good steps, as numbers; empty where disabled."""
        if not self._enabled:
            return {}
        settings = {name: getattr(self, f"_{name}") for name in _SETTINGS}
        count = self._get_growth_tracker()
        return {"scale": self.get_scale(), **settings, "_growth_tracker": count}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned. Raises RuntimeError for an empty one."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        for name in _SETTINGS:
            setattr(self, f"_{name}", state_dict[name])
        self._init_growth_tracker = state_dict["_growth_tracker"]
        for held, value in (
            (self._scale, self._init_scale),
            (self._growth_tracker, self._init_growth_tracker),
        ):
            if held is not None:
                held.fill_(value)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, "
                    "or at the end after scaler.update()."
                )
            # Tensors stay behind: who loads it may have other devices.
            state["_init_scale"] = self.get_scale()
            state["_init_growth_tracker"] = self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _check_inf_per_device(self, optimizer: Any) -> Any:
        """Look whether all gradients are finite, and leave them as they are."""
        scale, _ = self._check_scale_growth_tracker("_check_inf_per_device")
        one = torch.full((), 1.0, dtype=torch.float32, device=scale.device)
        found_inf = torch.full((), 0.0, dtype=torch.float32, device=scale.device)
        state = self._per_optimizer_states[id(optimizer)]
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, one, found_inf, True)
        return state["found_inf_per_device"]

    def _found_inf_per_device(self, optimizer: Any) -> Any:
        return self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]


@spelled_out("__init__")
class _ScalerOfType(GradScaler):
    """A scaler for devices of one type, as the older namespaces of that type have it."""

    _type: ClassVar[str]

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        rates = (init_scale, growth_factor, backoff_factor, growth_interval)
        super().__init__(self._type, *rates, enabled=enabled)
