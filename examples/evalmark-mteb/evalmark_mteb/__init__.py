"""Results of MTEB for evalmark."""
