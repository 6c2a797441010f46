"""Why a schema rejects data: one violation for each mistake."""
