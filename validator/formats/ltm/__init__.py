"""Files of the LTM benchmark: definitions, configurations, results and logs."""
