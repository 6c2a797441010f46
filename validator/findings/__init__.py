"""What a check reports: findings, their places, severities and fixes."""
