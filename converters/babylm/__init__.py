"""Prediction files as the BabyLM Challenge wants them: written from a run, and checked."""
