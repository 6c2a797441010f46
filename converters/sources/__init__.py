"""Files of results as importers read them: values with their places, large files piece by piece."""
