"""What a pull request changes: files, patches, and the structure of what they hold."""
