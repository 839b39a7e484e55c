"""Bounded models of everything that crosses a boundary."""
