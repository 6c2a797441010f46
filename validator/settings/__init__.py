"""Settings: of folders and of users, what may be trusted, and arguments made of both."""
