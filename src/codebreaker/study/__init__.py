"""A study: its configuration, its jobs, and the code that each job depends on."""
