"""What a bug report should say; ``python -m torch.utils.collect_env`` prints it."""

from __future__ import annotations

import locale
import os
import re
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from .. import cuda, version
from ..__about__ import __version__
from ..core.unavailable import offer_listed

__all__ = [
    "SystemEnv",
    "get_env_info",
    "get_pip_packages",
    "get_pretty_env_info",
    "main",
    "pretty_str",
    "run",
]

TORCH_AVAILABLE = True

SystemEnv = namedtuple(
    "SystemEnv",
    [
        "torch_version",
        "is_debug_build",
        "cuda_compiled_version",
        "gcc_version",
        "clang_version",
        "cmake_version",
        "os",
        "libc_version",
        "python_version",
        "python_platform",
        "is_cuda_available",
        "cuda_runtime_version",
        "cuda_module_loading",
        "nvidia_driver_version",
        "nvidia_gpu_models",
        "cudnn_version",
        "is_xpu_available",
        "pip_version",
        "pip_packages",
        "conda_packages",
        "hip_compiled_version",
        "hip_runtime_version",
        "miopen_runtime_version",
        "caching_allocator_config",
        "is_xnnpack_available",
        "cpu_info",
    ],
)

#: Packages that a report names.
COMMON_PATTERNS = ["torch", "numpy", "triton", "optree"]
NVIDIA_PATTERNS = [
    "cuda-cudart",
    "cuda-cupti",
    "cuda-libraries",
    "cuda-opencl",
    "cuda-nvrtc",
    "cuda-runtime",
    "cublas",
    "cudnn",
    "cufft",
    "curand",
    "cusolver",
    "cusparse",
    "nccl",
    "nvjitlink",
    "nvtx",
]
CONDA_PATTERNS = ["cudatoolkit", "soumith", "mkl", "magma"]
PIP_PATTERNS = ["mypy", "flake8", "onnx"]

_Run = Callable[[Any], tuple[int, str, str]]


def run(command: Any) -> tuple[int, str, str]:
    """Run *command*: its exit status, and what it wrote."""
    shell = isinstance(command, str)
    try:
        done = subprocess.run(command, capture_output=True, shell=shell, check=False)
    except OSError:
        return 127, "", "Command not found"
    encoding = locale.getpreferredencoding()
    out, err = done.stdout.decode(encoding, "replace"), done.stderr.decode(encoding, "replace")
    return done.returncode, out.strip(), err.strip()


def run_and_read_all(run_lambda: _Run, command: Any) -> str | None:
    """What *command* wrote; None where it failed."""
    rc, out, _ = run_lambda(command)
    return None if rc != 0 else out


def run_and_parse_first_match(run_lambda: _Run, command: Any, regex: str) -> str | None:
    """The first group of *regex* in what *command* wrote."""
    rc, out, _ = run_lambda(command)
    match = re.search(regex, out) if rc == 0 else None
    return None if match is None else match.group(1)


def run_and_return_first_line(run_lambda: _Run, command: Any) -> str | None:
    """The first line of what *command* wrote."""
    rc, out, _ = run_lambda(command)
    return None if rc != 0 else out.split("\n")[0]


def get_conda_packages(run_lambda: _Run, patterns: Any = None) -> str | None:
    """The packages of conda that matter."""
    if patterns is None:
        patterns = CONDA_PATTERNS + COMMON_PATTERNS + NVIDIA_PATTERNS
    out = run_and_read_all(run_lambda, [os.environ.get("CONDA_EXE", "conda"), "list"])
    if out is None:
        return None
    lines = [line for line in out.splitlines() if not line.startswith("#")]
    return "\n".join([line for line in lines if any(name in line for name in patterns)])


def get_gcc_version(run_lambda: _Run) -> str | None:
    """The version of GCC."""
    return run_and_parse_first_match(run_lambda, "gcc --version", r"gcc (.*)")


def get_clang_version(run_lambda: _Run) -> str | None:
    """The version of Clang."""
    return run_and_parse_first_match(run_lambda, "clang --version", r"clang version (.*)")


def get_cmake_version(run_lambda: _Run) -> str | None:
    """The version of CMake."""
    return run_and_parse_first_match(run_lambda, "cmake --version", r"cmake (.*)")


def get_nvidia_driver_version(run_lambda: _Run) -> str | None:
    """The version of NVIDIA's driver."""
    return run_and_parse_first_match(run_lambda, get_nvidia_smi(), r"Driver Version: (.*?) ")


def get_gpu_info(run_lambda: _Run) -> str | None:
    """NVIDIA's GPUs."""
    rc, out, _ = run_lambda(get_nvidia_smi() + " -L")
    return None if rc != 0 else re.sub(r" \(UUID: .+?\)", "", out)


def get_running_cuda_version(run_lambda: _Run) -> str | None:
    """The version of CUDA's compiler."""
    return run_and_parse_first_match(run_lambda, "nvcc --version", r"release .+ V(.*)")


def get_cudnn_version(run_lambda: _Run) -> str | None:
    """Where cuDNN is."""
    rc, out, _ = run_lambda('ldconfig -p | grep libcudnn | rev | cut -d" " -f1 | rev')
    files = sorted({os.path.realpath(f) for f in out.split("\n") if f and os.path.isfile(f)})
    if rc != 0 and not files or not files:
        return None
    if len(files) == 1:
        return files[0]
    return "Probably one of the following:\n" + "\n".join(files)


def get_nvidia_smi() -> str:
    """The command that tells of NVIDIA's GPUs."""
    return "nvidia-smi"


def get_cpu_info(run_lambda: _Run) -> str | None:
    """What there is to say of the processor."""
    if get_platform() == "linux":
        rc, out, err = run_lambda("lscpu")
    elif get_platform() == "darwin":
        rc, out, err = run_lambda("sysctl -n machdep.cpu.brand_string")
    else:
        return None
    return out if rc == 0 else err


def get_platform() -> str:
    """``linux``, ``win32``, ``cygwin``, ``darwin`` or what else it is."""
    for name in ("linux", "win32", "cygwin", "darwin"):
        if sys.platform.startswith(name):
            return name
    return sys.platform


def get_mac_version(run_lambda: _Run) -> str | None:
    """The version of macOS."""
    return run_and_parse_first_match(run_lambda, "sw_vers -productVersion", r"(.*)")


def get_windows_version(run_lambda: _Run) -> str | None:
    """The version of Windows."""
    return run_and_read_all(run_lambda, "ver")


def get_lsb_version(run_lambda: _Run) -> str | None:
    """The distribution, as ``lsb_release`` says."""
    return run_and_parse_first_match(run_lambda, "lsb_release -a", r"Description:\t(.*)")


def check_release_file(run_lambda: _Run) -> str | None:
    """The distribution, as its file says."""
    return run_and_parse_first_match(run_lambda, "cat /etc/*-release", r'PRETTY_NAME="(.*)"')


def get_os(run_lambda: _Run) -> str | None:
    """The system and its version."""
    from platform import machine

    where = get_platform()
    if where in ("win32", "cygwin"):
        return get_windows_version(run_lambda)
    if where == "darwin":
        version = get_mac_version(run_lambda)
        return None if version is None else f"macOS {version} ({machine()})"
    if where == "linux":
        found = get_lsb_version(run_lambda) or check_release_file(run_lambda)
        return f"{found or where} ({machine()})"
    return where


def get_python_platform() -> str:
    """The system, as Python names it."""
    import platform

    return platform.platform()


def get_libc_version() -> str:
    """The C library and its version."""
    import platform

    return "N/A" if get_platform() != "linux" else "-".join(platform.libc_ver())


def get_pip_packages(run_lambda: _Run, patterns: Any = None) -> tuple[str, str]:
    """Which pip there is, and the installed packages that matter."""
    if patterns is None:
        patterns = PIP_PATTERNS + COMMON_PATTERNS + NVIDIA_PATTERNS
    from importlib.metadata import distributions

    found = {f"{d.metadata['Name']}=={d.version}" for d in distributions() if d.metadata["Name"]}
    pip_version = "pip3" if sys.version_info.major == 3 else "pip"
    lines = [line for line in sorted(found) if any(name in line for name in patterns)]
    return pip_version, "\n".join(lines)


def get_cachingallocator_config() -> dict[str, str]:
    """What the environment says of the allocator."""
    names = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def get_cuda_module_loading_config() -> str:
    """When CUDA loads its modules."""
    return os.environ.get("CUDA_MODULE_LOADING", "") if cuda.is_available() else "N/A"


def is_xnnpack_available() -> str:
    """Whether there is XNNPACK: there is not."""
    return "False"


def get_env_info() -> Any:
    """What a report should say."""
    pip_version, pip_list_output = get_pip_packages(run)
    bits = sys.maxsize.bit_length() + 1
    python = str(sys.version).replace("\n", " ")
    return SystemEnv(
        torch_version=__version__,
        is_debug_build=str(version.debug),
        python_version=f"{python} ({bits}-bit runtime)",
        python_platform=get_python_platform(),
        is_cuda_available=str(cuda.is_available()),
        cuda_compiled_version=version.cuda,
        cuda_runtime_version=get_running_cuda_version(run),
        cuda_module_loading=get_cuda_module_loading_config(),
        nvidia_gpu_models=get_gpu_info(run),
        nvidia_driver_version=get_nvidia_driver_version(run),
        cudnn_version=get_cudnn_version(run),
        is_xpu_available="False",
        hip_compiled_version="N/A",
        hip_runtime_version="N/A",
        miopen_runtime_version="N/A",
        pip_version=pip_version,
        pip_packages=pip_list_output,
        conda_packages=get_conda_packages(run),
        os=get_os(run),
        libc_version=get_libc_version(),
        gcc_version=get_gcc_version(run),
        clang_version=get_clang_version(run),
        cmake_version=get_cmake_version(run),
        caching_allocator_config=get_cachingallocator_config(),
        is_xnnpack_available=is_xnnpack_available(),
        cpu_info=get_cpu_info(run),
    )


env_info_fmt = """
PyTorch version: {torch_version}
Is debug build: {is_debug_build}
CUDA used to build PyTorch: {cuda_compiled_version}
ROCM used to build PyTorch: {hip_compiled_version}

OS: {os}
GCC version: {gcc_version}
Clang version: {clang_version}
CMake version: {cmake_version}
Libc version: {libc_version}

Python version: {python_version}
Python platform: {python_platform}
Is CUDA available: {is_cuda_available}
CUDA runtime version: {cuda_runtime_version}
CUDA_MODULE_LOADING set to: {cuda_module_loading}
GPU models and configuration: {nvidia_gpu_models}
Nvidia driver version: {nvidia_driver_version}
cuDNN version: {cudnn_version}
Is XPU available: {is_xpu_available}
HIP runtime version: {hip_runtime_version}
MIOpen runtime version: {miopen_runtime_version}
Is XNNPACK available: {is_xnnpack_available}
Caching allocator config: {caching_allocator_config}

CPU:
{cpu_info}

Versions of relevant libraries:
{pip_packages}
{conda_packages}
""".strip()


def pretty_str(envinfo: Any) -> str:
    """The report as text."""

    def indented(name: str, text: str) -> str:
        return "\n".join([f"[{name}] {line}" for line in text.splitlines()])

    found = envinfo._asdict()
    if found["pip_packages"]:
        found["pip_packages"] = indented(found["pip_version"], found["pip_packages"])
    if found["conda_packages"] != "":
        found["conda_packages"] = indented("conda", found["conda_packages"] or "Could not collect")
    for name in ("pip_packages", "conda_packages"):
        found[name] = found[name] or "No relevant packages"
    of_cuda = (
        "cuda_runtime_version",
        "nvidia_gpu_models",
        "cudnn_version",
        "nvidia_driver_version",
    )
    if not cuda.is_available() and all(found[name] is None for name in of_cuda):
        found.update(dict.fromkeys(of_cuda, "No CUDA"))
        if found["cuda_compiled_version"] is None:
            found["cuda_compiled_version"] = "None"
    for name in ("nvidia_gpu_models", "caching_allocator_config"):
        text = found[name]
        if isinstance(text, dict):
            text = "\n".join(f"{k}: {v}" for k, v in text.items()) or "N/A"
        if text is not None and len(str(text).split("\n")) > 1:
            text = f"\n{text}\n"
        found[name] = text
    for name, value in found.items():
        if value is None:
            found[name] = "Could not collect"
        elif isinstance(value, bool):
            found[name] = "Yes" if value else "No"
    return env_info_fmt.format(**found)


def get_pretty_env_info() -> str:
    """The report as text."""
    return pretty_str(get_env_info())


def main() -> None:
    """Print the report."""
    print("Collecting environment information...")
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()

offer_listed(globals())
