"""People: their accounts and all ways to sign in, how they are merged and erased, and the site's hosts."""
