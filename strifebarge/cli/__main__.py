"""`python -m strifebarge.cli` is the command, too."""

from strifebarge.cli import main

main()
