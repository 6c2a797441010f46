"""What ``evalmark store`` does: questions and their answers, and reports."""
