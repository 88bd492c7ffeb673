"""Process groups for tests."""
