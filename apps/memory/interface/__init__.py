"""The interface of datasets, with the names of the LTM benchmark."""
