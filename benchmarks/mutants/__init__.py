"""Random changes of behaviour: what share of them do the tests notice?"""
