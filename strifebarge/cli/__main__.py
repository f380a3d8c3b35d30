"""`python -m strifebarge.cli` is the command, too."""

from . import main

main()
