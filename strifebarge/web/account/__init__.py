"""The pages of one person: account, devices, tokens, notifications, feeds, and ways to sign in."""
