"""Everything that is hostile to evalmark: files, kills of commands, random documents."""
