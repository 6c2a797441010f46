"""Steps of definitions of the LTM benchmark."""
