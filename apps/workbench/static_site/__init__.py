"""The workbench as static files: its page, Python compiled to WebAssembly, and evalmark."""
