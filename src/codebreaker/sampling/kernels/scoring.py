"""The parts into which guesses split a sample of candidates."""

import numpy as np

from codebreaker.compiling.cpu import njit
from codebreaker.sampling.kernels.space import Symbols
from codebreaker.sets.primitives import bit_count
from codebreaker.types import Bits, Counts, FeedbackIds, Scores


@njit(nogil=True)
def score_guesses(
    places: Bits,
    copies: Bits,
    member_places: Bits,
    member_copies: Bits,
    ids: FeedbackIds,
    logs: Scores,
    entropies: Scores,
) -> None:
    """Write the entropies in bits of guesses over members, all as bits, (n, n_words).

    `entropies` are (n_guesses,); `logs` has c · log2(c) for each c up to the number of members.
    """
    n_members = len(member_places)
    n_words = places.shape[1]
    highest = 0
    for ids_of_black in ids:
        for feedback in ids_of_black:
            highest = max(highest, feedback)
    counts = np.zeros(highest + 1, np.int64)
    for guess in range(len(places)):
        counts[:] = 0
        if n_words == 1:  # the guess's bits stay in two registers
            places_of_guess = places[guess, 0]
            copies_of_guess = copies[guess, 0]
            for member in range(n_members):
                black = np.int64(bit_count(places_of_guess & member_places[member, 0]))
                common = np.int64(bit_count(copies_of_guess & member_copies[member, 0]))
                counts[ids[black, common]] += 1
        else:
            for member in range(n_members):
                black = np.int64(0)
                common = np.int64(0)
                for word in range(n_words):
                    black += np.int64(bit_count(places[guess, word] & member_places[member, word]))
                    common += np.int64(bit_count(copies[guess, word] & member_copies[member, word]))
                counts[ids[black, common]] += 1
        within = 0.0
        for count in counts:
            within += logs[count]
        entropies[guess] = (logs[n_members] - within) / n_members


@njit(nogil=True)
def feedback_of(guess: Symbols, secrets: Symbols, n_colours: int, ids: FeedbackIds) -> Counts:
    """Return the feedback ids of a guess, (pegs,), to secrets, (n, pegs)."""
    pegs = len(guess)
    feedback = np.zeros(len(secrets), np.int64)
    in_guess = np.zeros(n_colours, np.int64)
    for peg in range(pegs):
        in_guess[guess[peg]] += 1
    in_secret = np.zeros(n_colours, np.int64)
    for secret in range(len(secrets)):
        in_secret[:] = 0
        black = 0
        for peg in range(pegs):
            in_secret[secrets[secret, peg]] += 1
            black += int(secrets[secret, peg] == guess[peg])
        common = 0
        for colour in range(n_colours):
            common += min(in_guess[colour], in_secret[colour])
        feedback[secret] = ids[black, common]
    return feedback
