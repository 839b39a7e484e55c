"""Mutation tests: how many small changes to the rules the tests of the rules notice."""
