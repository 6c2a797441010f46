"""Published memory sets, read into the general form."""
