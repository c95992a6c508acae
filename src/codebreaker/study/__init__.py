"""A study: its configuration, its jobs, and the code that each job depends on."""

from codebreaker.errors import require

require("workflow", "codebreaker.study")
