"""The bucket: artifacts and presigned addresses."""
