"""Measure the speed of the site: in one run and as ratios, since only ratios carry over to other machines."""
