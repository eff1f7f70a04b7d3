"""Hermes Memory."""
