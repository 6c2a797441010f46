"""Tables as people have them: workbooks, sheets and wide tables of suites."""
