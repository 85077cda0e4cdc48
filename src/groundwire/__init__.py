"""Groundwire: test every statement a language model makes against evidence."""
