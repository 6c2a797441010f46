"""Records and samples: writing them, and migrating them between versions."""
