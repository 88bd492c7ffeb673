"""``python -m mindtorch_cli`` is the command ``mindtorch``."""

from mindtorch_cli import main

main()
