"""Many policies grown at once, and the frontier of their means against their maxima."""
