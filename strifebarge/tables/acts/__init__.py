"""The acts of people at a table: plain functions of a Turn, which raise Refused."""
