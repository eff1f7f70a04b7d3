"""`python -m hermes_core.cli`, for machines where the `hermes` script is not on the path."""

from hermes_core.cli import main

main()
