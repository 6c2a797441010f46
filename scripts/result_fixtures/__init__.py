"""What made the files in ``fixtures/results`` with the packages of other programs."""
