"""Everything that is hostile to evalmark: files, folders, endpoints, models, kills, documents."""
