// The worker answers one question at a time; the page may end it.
const ANSWERS = {
  suggest({ rule, members, turn, previous, played, wantsMean, only }, tell) {
    if (only)
      return {
        guess:
          members.length < 3
            ? members[0]
            : (pickGuess(
                rule ?? ENTROPY,
                members,
                only,
                scoresOf(desk.game, rule ?? ENTROPY, members, { turn, previous, played }, only),
              ) ?? members[0]),
        mean: null,
      };
    if (rule === null) {
      const optimal = desk.values.exact(members);
      if (optimal) return { guess: optimal.best, mean: optimal.total / members.length, exact: true };
    }
    const guess = choose(desk.game, rule ?? ENTROPY, members, turn, previous, played);
    if (!wantsMean || rule === null) return { guess, mean: null };
    tell({ guess, mean: null });
    return { guess, mean: totalOf(desk.game, rule, members, turn, previous) / members.length };
  },
  best({ members, known, ...question }, tell) {
    for (const [key, value] of known) desk.values.known.set(key, value);
    return bestGuesses(desk.game, desk.values, members, question, (worths) => tell({ worths }));
  },
  review({ moves, known }, tell) {
    for (const [key, value] of known) desk.values.known.set(key, value);
    return review(desk.game, desk.values, moves, (done) => tell({ done }));
  },
};

const desk = { game: null, values: null };

if (typeof document === "undefined")
  onmessage = ({ data: { id, kind, question, game } }) => {
    if (game) {
      desk.game = new Game(game);
      desk.values = new Values(desk.game);
    }
    desk.values.refill();
    const tell = (part) => postMessage({ id, part });
    postMessage({ id, answer: ANSWERS[kind](question, tell) });
  };
