"""The formats that are checked: a folder for each."""
