"""`python -m demo`."""

from .run import main

main()
