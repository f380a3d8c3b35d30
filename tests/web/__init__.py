"""The site as its visitors see it: pages, forms and links, through Flask's test client."""
