"""The edge to the outside: opening inputs, writing outputs, showing text."""
