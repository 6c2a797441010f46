"""Parts that formats share: documents with a schema, rows, fields, rules of a repository."""
