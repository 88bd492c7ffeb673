"""``interpolate``: every mode, and what it refuses, as torch."""

import pytest

from .test_nn_functional import close, numbers, ours, outcome, torch

#: Shape of the input and arguments.
CALLS = [
    ((2, 3, 5), {"size": 8}),
    ((2, 3, 5), {"scale_factor": 1.5, "mode": "linear"}),
    ((2, 3, 5), {"size": [3], "mode": "area"}),
    ((2, 3, 5), {"size": 7, "mode": "nearest-exact"}),
    ((2, 3, 5, 4), {"scale_factor": 2}),
    ((2, 3, 5, 4), {"size": (3, 9), "mode": "bilinear"}),
    ((2, 3, 5, 4), {"size": (3, 9), "mode": "bilinear", "align_corners": True}),
    ((2, 3, 5, 4), {"scale_factor": (0.5, 1.7), "mode": "bicubic"}),
    ((2, 3, 5, 4), {"size": (3, 2), "mode": "bilinear", "antialias": True}),
    ((2, 3, 5, 4), {"size": (3, 2), "mode": "bicubic", "antialias": True}),
    ((2, 3, 9, 9), {"size": (4, 3), "mode": "lanczos", "antialias": True}),
    ((2, 3, 5, 4), {"scale_factor": 0.6, "mode": "area"}),
    ((2, 3, 5, 4), {"scale_factor": 1.3, "mode": "bilinear", "recompute_scale_factor": True}),
    ((2, 3, 3, 5, 4), {"size": (2, 6, 7), "mode": "trilinear"}),
    ((2, 3, 3, 5, 4), {"scale_factor": 2, "mode": "nearest"}),
    ((2, 3, 3, 5, 4), {"size": (2, 3, 3), "mode": "area"}),
    ((2, 3, 5, 4), {}),
    ((2, 3, 5, 4), {"size": 3, "scale_factor": 2}),
    ((2, 3, 5, 4), {"size": (3,)}),
    ((2, 3, 5, 4), {"size": (3.0, 4.0)}),
    ((2, 3, 5, 4), {"scale_factor": (3.0,)}),
    ((2, 3, 5, 4), {"size": 3, "align_corners": True}),
    ((2, 3, 5, 4), {"size": 3, "recompute_scale_factor": True}),
    ((2, 3, 5, 4), {"size": 3, "antialias": True}),
    ((2, 3, 5, 4), {"size": 3, "mode": "linear"}),
    ((2, 3, 5), {"size": 3, "mode": "bilinear"}),
    ((2, 3, 5), {"size": 3, "mode": "bicubic"}),
    ((2, 3), {"size": 3}),
    ((2, 3, 5, 4), {"size": 3, "mode": "lanczos"}),
    ((2, 3, 5, 4), {"size": 3, "mode": "lanczos", "align_corners": True, "antialias": True}),
    ((2, 3, 5, 4), {"size": 0}),
]


@pytest.mark.parametrize("name", ["interpolate", "upsample", "upsample_nearest"])
@pytest.mark.parametrize(("shape", "options"), CALLS, ids=repr)
def test_interpolation_is_the_oracles(name, shape, options):
    """Numbers, errors and warnings."""

    def call(t, F):
        return getattr(F, name)(numbers(t, *shape), **options)

    got, heard = outcome(call, ours)
    want, said = outcome(call, torch)
    if want[0] != "TypeError" or name == "interpolate":
        assert close(got, want), (got, want)
    assert heard == said
