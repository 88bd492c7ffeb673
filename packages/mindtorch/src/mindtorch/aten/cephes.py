"""Cephes' single precision polynomials for logarithm, sine and cosine, which torch's kernels use.

Of log on [sqrt(1/2), sqrt(2)], of sine and cosine on [-pi/4, pi/4]; the highest power first.
"""

from __future__ import annotations

from typing import Final

LOG: Final = (
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1),
    *(1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
#: The logarithm of two in two parts.
LOG_LOW, LOG_HIGH = -2.12194440e-4, 0.693359375
COS: Final = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
SIN: Final = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
#: -pi/4 in three parts.
QUARTER_PI: Final = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
