"""Tables, figures and findings: what people look at."""

from codebreaker.extras import require

require("report", "codebreaker.report")
