"""Why a schema rejects data: one finding for each mistake."""
