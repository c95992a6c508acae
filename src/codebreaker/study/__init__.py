"""A study: its configuration, the jobs, and the code that each depends on."""
