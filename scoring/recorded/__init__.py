"""Scoring with numbers that were computed elsewhere: evaluated suites, files of surprisals."""
