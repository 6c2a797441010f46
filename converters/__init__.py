"""From old formats to the current ones, step by step; exact, or refused with a reason."""
