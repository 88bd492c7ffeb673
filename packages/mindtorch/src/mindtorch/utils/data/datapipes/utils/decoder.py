"""From the bytes of a file to what they mean, by the file's extension."""

from __future__ import annotations

import io
import json
import os.path
import pickle
import tempfile
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .....aten import torch
from .....serialization import load
from .common import StreamWrapper

__all__ = [
    "Decoder",
    "ImageHandler",
    "MatHandler",
    "audiohandler",
    "basichandlers",
    "extension_extract_fn",
    "handle_extension",
    "imagehandler",
    "mathandler",
    "videohandler",
]


def basichandlers(extension: str, data: Any) -> Any:
    """Text, whole numbers, JSON, pickles and tensors; None for other extensions.

    As in torch a part of one of the words will do: no extension at all is text.
    """
    if extension in "txt text transcript":
        return data.decode("utf-8")
    if extension in "cls cls2 class count index inx id":
        try:
            return int(data)
        except ValueError:
            return None
    if extension in "json jsn":
        return json.loads(data)
    if extension in "pyd pickle":
        return pickle.loads(data)
    if extension in ["pt"]:
        return load(io.BytesIO(data))
    return None


def handle_extension(extensions: str, f: Callable[[Any], Any]) -> Callable[[str, Any], Any]:
    """A handler that decodes with *f* what ends as one of *extensions* (words, or several.parts).

    What it does not decode is None.
    """
    wanted = [each.split(".") for each in extensions.lower().split()]

    def g(key: str, data: Any) -> Any:
        parts = key.lower().split(".")
        for target in wanted:
            if len(target) <= len(parts) and parts[-len(target) :] == target:
                return f(data)
        return None

    return g


#: By name: what kind of object an image becomes, the type of its numbers, and its colours.
imagespecs: dict[str, tuple[str, str | None, str]] = {
    f"{prefix}{colours}{bits}": (kind, number, colours)
    for prefix, kind in (("", "numpy"), ("torch", "torch"))
    for bits, number in (("8", "uint8"), ("", "float"))
    for colours in ("l", "rgb", "rgba")
}
imagespecs.update({f"pil{colours}": ("pil", None, colours) for colours in ("l", "rgb", "rgba")})
imagespecs.update(torch=imagespecs["torchrgb"], pil=imagespecs["pilrgb"])


def _needed(module: str, text: str) -> Any:
    """*module*. Raises ModuleNotFoundError with *text* where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise ModuleNotFoundError(text) from None


class ImageHandler:
    """Decodes images to what *imagespec* says: see :data:`imagespecs`.

    Floats are from 0 to 1; tensors have the colours in front.
    """

    def __init__(self, imagespec: str) -> None:
        if imagespec not in imagespecs:
            raise AssertionError(f"unknown image specification: {imagespec}")
        self.imagespec = imagespec.lower()

    def __call__(self, extension: str, data: Any) -> Any:
        if extension.lower() not in "jpg jpeg png ppm pgm pbm pnm".split():
            return None
        import numpy as np

        images = _needed(
            "PIL.Image",
            "Package `PIL` is required to be installed for default image decoder."
            "Please use `pip install Pillow` to install the package",
        )
        kind, number, colours = imagespecs[self.imagespec]
        with io.BytesIO(data) as stream:
            image = images.open(stream)
            image.load()
            image = image.convert(colours.upper())
        if kind == "pil":
            return image
        result = np.asarray(image)
        if result.dtype != np.uint8:
            raise AssertionError(f"numpy image array should be type uint8, but got {result.dtype}")
        if kind == "numpy":
            return result if number == "uint8" else result.astype("f") / 255.0
        if result.ndim == 3:
            result = result.transpose(2, 0, 1)
        if number == "uint8":
            return torch.tensor(np.array(result))
        made: Any = torch.tensor(np.array(result))
        return made / 255.0


def imagehandler(imagespec: str) -> ImageHandler:
    """:class:`ImageHandler` for *imagespec*."""
    return ImageHandler(imagespec)


def _by_file(data: bytes, extension: str, read: Callable[[str], Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"file.{extension}")
        with open(path, "wb") as stream:
            stream.write(data)
            stream.flush()
            return read(path)


def videohandler(extension: str, data: Any) -> Any:
    """Videos, through torchvision."""
    if extension not in "mp4 ogv mjpeg avi mov h264 mpg webm wmv".split():
        return None
    vision = _needed(
        "torchvision.io",
        "Package `torchvision` is required to be installed for default video file loader."
        "Please use `pip install torchvision`"
        "to install the package",
    )
    return _by_file(data, extension, vision.read_video)


def audiohandler(extension: str, data: Any) -> Any:
    """Sound, through torchaudio."""
    if extension not in ["flac", "mp3", "sox", "wav", "m4a", "ogg", "wma"]:
        return None
    audio = _needed(
        "torchaudio",
        "Package `torchaudio` is required to be installed for default audio file loader."
        "Please use `pip install torchaudio`"
        "to install the package",
    )
    return _by_file(data, extension, audio.load)


class MatHandler:
    """Files of MATLAB, through scipy; *loadmat_kwargs* go to its ``loadmat``."""

    def __init__(self, **loadmat_kwargs: Any) -> None:
        self.sio = _needed(
            "scipy.io",
            "Package `scipy` is required to be installed for mat file."
            "Please use `pip install scipy`"
            "to install the package",
        )
        self.loadmat_kwargs = loadmat_kwargs

    def __call__(self, extension: str, data: Any) -> Any:
        if extension != "mat":
            return None
        with io.BytesIO(data) as stream:
            return self.sio.loadmat(stream, **self.loadmat_kwargs)


def mathandler(**loadmat_kwargs: Any) -> MatHandler:
    """:class:`MatHandler` with *loadmat_kwargs*."""
    return MatHandler(**loadmat_kwargs)


def extension_extract_fn(pathname: str) -> str:
    """The extension of *pathname* without its dot."""
    return os.path.splitext(pathname)[1][1:]


class Decoder:
    """Decodes values by their keys: the first of the handlers that gives something has its way.

    Streams are read whole first.
    """

    def __init__(self, *handler: Any, key_fn: Callable[[str], str] = extension_extract_fn) -> None:
        self.handlers = list(handler)
        self.key_fn = key_fn

    def add_handler(self, *handler: Any) -> None:
        """Have *handler* asked as well, after the others."""
        self.handlers += handler

    @staticmethod
    def _is_stream_handle(data: Any) -> bool:
        stream = data.file_obj if isinstance(data, StreamWrapper) else data
        return isinstance(stream, (io.BufferedIOBase, io.RawIOBase))

    def decode1(self, key: str, data: Any) -> Any:
        """*data*, decoded as *key* says; as it is if no handler knows that."""
        if not data:
            return data
        if self._is_stream_handle(data):
            stream, data = data, b"".join(data)
            stream.close()
        answers = (handler(key, data) for handler in self.handlers)
        return next((answer for answer in answers if answer is not None), data)

    def decode(self, data: Any) -> dict[str, Any]:
        """The pairs of *data* (or the one that it is), decoded where the key has no _ first."""
        single = isinstance(data, tuple) and not isinstance(data[0], tuple)
        return {key: self._decoded(key, value) for key, value in ([data] if single else data)}

    def _decoded(self, key: str, value: Any) -> Any:
        if key[0] != "_":
            return self.decode1(self.key_fn(key), value)
        return value.decode("utf-8") if isinstance(value, bytes) else value

    def __call__(self, data: Any) -> dict[str, Any]:
        return self.decode(data)
