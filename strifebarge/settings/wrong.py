"""How a setting that cannot be used is refused."""

PREFIX = "STRIFEBARGE_"  # of all environment variables of the site


class WrongSetting(Exception):
    """A setting that cannot be used; its text is one sentence for the host."""
