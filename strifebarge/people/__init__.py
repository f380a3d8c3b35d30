"""People and how they are recognised: passwords, passkeys, devices, personal links, merging and erasing."""
