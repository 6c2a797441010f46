"""The scripts that made ``fixtures/results`` with the packages of other programs."""
