"""Steps of minimal pairs: sets, and suites of them."""
