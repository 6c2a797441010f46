"""Two installations of evalmark beside each other: has anything changed that users see?"""
