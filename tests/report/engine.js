// What tests ask of the page's engine, without a browser: `deno run engine.js NAME` answers what standard input asks.
import {
  Demands,
  drawCandidates,
  findCandidates,
  listCandidates,
  movesFor,
  walkInLevels,
  walkToCandidates,
} from "./page/engine/candidates.js";
import { knownValues } from "./page/engine/carry.js";
import { Game } from "./page/engine/game.js";
import { whyNotHard } from "./page/engine/hard.js";
import { pegsOf } from "./page/engine/naming.js";
import { Generator } from "./page/engine/random.js";
import { impossibleMarks } from "./page/engine/repairs.js";
import { chooseBySample, sampledWorth } from "./page/engine/sampled.js";
import { makeCodes } from "./page/engine/sizes.js";
import { Values } from "./page/engine/values.js";
import { makeOwn } from "./page/engine/wordlists.js";
import { bestGuesses, compareGuess, worthOf } from "./page/engine/worth.js";
import { unveil, veil } from "./page/records/links.js";

// All guesses and feedback of a size, and for each guess its feedback and both counts as text.
function feedbackOf([pegs, colours, repeats]) {
  const game = makeCodes(pegs, colours, repeats);
  const all = game.allSecrets;
  const size = game.feedback.length;
  const rows = [...game.guesses.keys()].map((guess) => {
    const two = new Int32Array(size);
    game.countPegs(guess, all, two);
    const counts = [game.countCells(guess, all, new Int32Array(size)), two];
    const row = [...all].map((secret) => game.compute(guess, secret));
    return [row, ...counts].map((one) => one.join(" "));
  });
  return [game.name, game.title, game.guesses, game.feedback, rows];
}

// The words of a list of one's own, and for each guess the marks to all of them, one by one and by letters.
function marksOf(words) {
  const game = makeOwn(words.join(" "));
  const all = game.allSecrets;
  const textOf = (ids) => ids.map((id) => game.feedback[id]).join(" ");
  const ones = [...all].map((guess) => textOf([...all].map((secret) => game.compute(guess, secret))));
  const rows = [...all].map((guess) => {
    const row = new Uint16Array(all.length);
    return game.fillMarks(guess, row) ? textOf([...row]) : null;
  });
  return [game.guesses, ones, rows];
}

// For each guess and answer that words give, the words that hard mode allows next.
function hardAfter(words) {
  const game = makeOwn(words.join(" "));
  const all = [...game.allSecrets];
  const rows = [];
  for (const guess of all) {
    for (
      const id of new Set(all.map((secret) => game.compute(guess, secret)))
    ) {
      const allowed = game.guesses.filter((label) => !whyNotHard(game, [{ guess, id }], label));
      rows.push([game.guesses[guess], game.feedback[id], allowed]);
    }
  }
  return rows;
}

// What the page knows of each set of candidates along moves, by the indices of its members.
function knownAfter([data, history]) {
  return knownValues(
    new Game(data),
    history.map(([guess, id]) => ({ guess, id })),
  );
}

// Why no word gives a guess marks, for all guesses and marks of words.
function impossibleOf(words) {
  const game = makeOwn(words.join(" "));
  return game.guesses.flatMap((word, guess) =>
    game.feedback.map((
      marks,
    ) => [word, marks, impossibleMarks(game, guess, marks)])
  );
}

// A game whose codes are not listed, and moves of it, from black and white pegs by guess.
function unlisted([pegs, colours, repeats], played) {
  const game = makeCodes(pegs, colours, repeats, null, 0);
  const moves = played.map(([guess, answer]) => ({
    guess: game.indexOf.get(guess),
    id: game.idOf.get(answer),
  }));
  return [game, movesFor(game, moves)];
}

// The feedback between codes of a game that is not listed, whether each may be the secret, and whether links can
// hide all secrets.
function sampledFeedback([size, labels]) {
  const [game] = unlisted(size, []);
  const codes = labels.map((label) => game.indexOf.get(label));
  return [
    codes.map((guess) => codes.map((secret) => game.feedback[game.feedbackOf(guess, secret)])),
    codes.map((code) => game.isSecret(code)),
    codes.filter((code) => game.isSecret(code)).every((code) => unveil(game, veil(game, code)) === code),
  ];
}

// All candidates after moves, by constraints.
function listedAfter([size, played]) {
  const [game, moves] = unlisted(size, played);
  return listCandidates(game, new Demands(game, moves), 1e7).map((row) => game.labelOf(row));
}

// Candidates that are drawn, and the estimate of their number.
function drawnAfter([size, played, samples]) {
  const [game, moves] = unlisted(size, played);
  const { codes, heldOut, number } = drawCandidates(
    game,
    new Demands(game, moves),
    new Generator(5),
    samples,
  );
  return [[...codes, ...heldOut].map((row) => game.labelOf(row)), number];
}

// The first code of each of independent groups of walks, and the groups' estimates of the number of candidates.
function walkedAfter([size, played, groups]) {
  const [game, moves] = unlisted(size, played);
  const history = new Demands(game, moves);
  const all = Array.from(
    { length: groups },
    (_, seed) => walkInLevels(game, history, new Generator(seed)),
  );
  return [
    all.map(({ codes }) => game.labelOf(codes[0])),
    all.map(({ number }) => number),
  ];
}

// By seed, each by drawing and by walking: intervals of the number of candidates, and of the number after a guess.
function intervalsAfter([size, played, guess, seeds]) {
  const [game, moves] = unlisted(size, played);
  const history = new Demands(game, moves);
  const row = game.codeOf(game.indexOf.get(guess));
  return Array.from({ length: seeds }, (_, seed) => {
    const drawn = drawCandidates(game, history, new Generator(seed));
    const walked = walkToCandidates(game, history, new Generator(seed));
    const lefts = [drawn, walked].map((candidates) => sampledWorth(game, row, candidates, moves).left);
    return [drawn.number, walked.number, ...lefts];
  });
}

// The lengths of sampled games, whose secrets follow from the numbers from 0 on.
function playSampled([size, games]) {
  const [game] = unlisted(size, []);
  return Array.from({ length: games }, (_, number) => {
    const secret = game.codeOf(game.secretBy(number));
    const moves = [];
    while (moves.at(-1)?.id !== game.solved) {
      const generator = new Generator(100 * number + moves.length);
      const candidates = findCandidates(game, moves, generator);
      const { worths } = chooseBySample(game, moves, candidates, {
        isRuled: false,
        count: 1,
      }, generator);
      const id = game.answerTo(worths[0].row, secret);
      const { black, white } = pegsOf(game.feedback[id]);
      moves.push({ row: worths[0].row, id, black, common: black + white });
    }
    return moves.length;
  });
}

// The fields of what guesses are worth, as each way to compare them gives them.
function fieldsOfWorths() {
  const game = makeCodes(3, 4);
  const members = game.allSecrets.slice(0, 20);
  const question = { played: [], planned: null, count: 5, only: null };
  const parts = [];
  const { worths } = bestGuesses(game, new Values(game), members, question, (part) => parts.push(...part.worths));
  const compared = compareGuess(game, new Values(game), members, { guess: 0, planned: null });
  return [worthOf(game, 0, members), compared, ...parts, ...worths].map((worth) => Object.keys(worth));
}

const FUNCTIONS = {
  drawnAfter,
  feedbackOf,
  fieldsOfWorths,
  hardAfter,
  impossibleOf,
  intervalsAfter,
  knownAfter,
  listedAfter,
  marksOf,
  playSampled,
  sampledFeedback,
  walkedAfter,
};

const [name] = Deno.args;
console.log(
  JSON.stringify(
    await FUNCTIONS[name](await new Response(Deno.stdin.readable).json()),
  ),
);
