"""What advice by samples may spend: the sizes of samples, and the limits of each step.

Limits are numbers of steps and not seconds, so that the same moves and seed give the same guess on
every machine. A study reads this without Numba. The limits of a random walk, `MOST_CHANGES` and
`MOST_STUCK`, are in `kernels.drawing`, as compiled loops import no settings.
"""

# Samples of the candidates: `candidates.find_candidates`.

SAMPLES = 4096
"""Default number of candidates in a sample."""

LEAST_SAMPLES = 16
MOST_SAMPLES = 1 << 16
"""Minimum and maximum number of candidates in a sample."""

LISTED_NODES = 1 << 23
"""Partial codes that are tried to list all candidates, about 0.2 s."""

MOST_LISTED = 1 << 17
"""Maximum number of candidates listed."""

DRAWS_PER_SAMPLE = 512
"""Codes that are drawn for each candidate of the sample, about 0.1 ms."""

LEAST_FOUND = 1024
"""Minimum number of candidates that are drawn or walked to, however small the sample.

With 16, the intervals held the true number of candidates in 5 of 100 small sets.
"""

GROUPS = 8
"""Parts of a sample: the last one has no part in the choice of a guess, and judges it.

Groups of codes that walk are independent, and their estimates are compared.
"""

STEPS_AT_LEVEL = 48
"""Random steps of each code at a level of the distance."""

# The guesses that are compared: `choice.choose_guess`.

MOST_CODES = 1 << 21
"""Maximum number of codes of a game whose codes are all compared, however few the members are."""

ALL_CODES_PAIRS = 1 << 25
"""Pairs of a code and a member up to which all codes are compared, about 0.1 s."""

SECOND_PAIRS = 1 << 29
"""Pairs of a class and a candidate up to which second guesses are exact, about 0.6 s."""

MOST_FIRST_CODES = 1 << 18
"""Maximum number of codes in which the first of each class is looked for, which takes 300 MiB."""

MOST_EXCHANGES = 24
"""Maximum number of exchanges of blocks that classes of second guesses are compared by."""

IMPROVED = 4
"""Number of best guesses whose neighbours are compared."""

MOST_ROUNDS = 6
"""Maximum number of steps from neighbour to neighbour."""

# Totals where all candidates are known: `totals`.

ENDGAME = 40
"""Candidates up to which the minimum total decides, if all of them are known."""

ENDGAME_GUESSES = 200
"""Number of best guesses by entropy that endgames are searched with, besides the candidates."""

ENDGAME_WORK = 1 << 21
"""Work of the search of an endgame, after which entropy decides: about 0.1 s."""

ROLLED_OUT = 2000
"""Candidates up to which rollouts decide, if all of them are known and are more than `ENDGAME`."""

ROLLOUT_GUESSES = 40
"""Number of best guesses by entropy whose rollouts are compared."""
