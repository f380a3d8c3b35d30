"""Rendering: templates, assets, and what is cached or filled into the HTML that they produce."""
