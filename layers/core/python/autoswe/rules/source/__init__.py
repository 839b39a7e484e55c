"""A commit's files as an archive that is verified file by file."""
