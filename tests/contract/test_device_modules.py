"""The module of a device's type, which libraries ask ``torch._utils`` for."""

from __future__ import annotations

import mindtorch
import mindtorch._utils
import pytest
import torch
import torch._utils

from .both_frameworks import agree, refuse


def utils(t):
    return torch._utils if t is torch else mindtorch._utils


@pytest.mark.parametrize("kind", ["cpu", "cuda", "mps", "xpu", "mtia"])
def test_a_device_has_its_module(kind):
    agree(lambda t: utils(t)._get_device_module(kind) is getattr(t, kind))


@pytest.mark.parametrize("kind", ["meta", "hpu", "nothing"])
def test_a_device_without_a_module_is_refused(kind):
    refuse(lambda t: utils(t)._get_device_module(kind))


def test_the_type_of_the_accelerator_is_the_one_that_is_there():
    assert mindtorch._utils._get_available_device_type() == "npu"
    assert mindtorch._utils._get_device_module("npu") is mindtorch.npu
