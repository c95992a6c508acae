// The game on the board: its record, the state after its events, and the position, which knows the codes of the game.
// `opening` is the text of the guesses that the player fixes for the advice.
const play = { game: null, strategy: null, opening: "", record: null, state: null, position: null };

// Candidate sets before each move and after the last one, and how the game stands; moves as indices.
// Throws a RangeError if the moves are not moves of the game, or do not fit the secret.
function positionOf(game, state) {
  const hidden = state.key ? unveil(game, state.key) : null;
  const asked = state.asked.map((move) => indexed(game, move));
  const moves = state.moves.map((move) => indexed(game, move));
  const wrong =
    hidden === null ? -1 : asked.findIndex(({ guess, id }) => game.feedbackOf(guess, hidden) !== id);
  if (wrong >= 0) throw new RangeError(`the answer to move ${wrong + 1} doesn't fit the secret.`);
  const sets = game.isListed ? setsAlong(game, moves) : estimatesAlong(game, moves);
  const candidates = sets.at(-1);
  const isContradictory = isEmpty(candidates);
  const isSolved = !isContradictory && moves.at(-1)?.id === game.solved;
  const isOver = isSolved || state.isOver;
  return {
    hidden,
    asked,
    moves,
    sets,
    candidates,
    isContradictory,
    isSolved,
    isOver,
    isOpen: !isOver && !isContradictory,
  };
}

// Candidates are objects: `number` is how many there are, with its interval. Those of a listed game have all `members`;
// others have `codes`, which are a sample unless `isAll`. They are null as long as the worker has not found them.
function setsAlong(game, moves) {
  const sets = [game.allSecrets];
  for (const { guess, id } of moves) sets.push(game.keep(sets.at(-1), guess, id));
  return sets.map((members) => ({ members, isAll: true, number: exactly(members.length) }));
}

const isEmpty = (candidates) => candidates !== null && candidates.isAll && candidates.number.value === 0;
const isSingle = (candidates) => candidates !== null && candidates.isAll && candidates.number.value === 1;

// What a guess that contradicts an answer is still good for.
const NO_CANDIDATE = "can’t be the secret, but may still separate the candidates";

// Whether a guess could be the secret.
function mayBeSecret(game, position, guess) {
  if (game.isListed) return position.candidates.members.includes(guess);
  return fitsMoves(game, movesFor(game, position.moves), game.codeOf(guess));
}

function indexed(game, { guess, answer }) {
  const move = { guess: game.indexOf.get(guess), id: game.idOf.get(answer) };
  if (move.guess === undefined || move.id === undefined)
    throw new RangeError(`'${guess.slice(0, 40)}' with '${answer.slice(0, 40)}' is no move of ${game.title}.`);
  return move;
}

// The first event of a game; `settings` has what differs from a new game of mine.
function startOf(game, settings) {
  const mode = settings.mode ?? modeFor(game, play.state?.mode ?? "hidden");
  const secret = settings.secret ?? game.drawSecret();
  const rule = settings.rule ?? ruleOf({ rule: kept("rule") ?? "any" });
  return {
    kind: "start",
    player: settings.player ?? "me",
    origin: settings.origin ?? "new",
    game: game.name,
    mode,
    rule: rule === "wordle" && game.family !== "marks" ? "any" : rule,
    key: mode === "hidden" ? veil(game, secret) : "",
    day: settings.day ?? "",
    source: settings.source ?? "",
    given: settings.given ?? 0, // events that came with a link
    friend: settings.friend ?? "",
    list: listOf(game),
    solvedBy: game.feedback[game.solved],
  };
}

// The rule of guesses that a link or a setting names, if there is such a rule.
const ruleOf = ({ rule = "any" }) =>
  [...find("play-rule").options].some((option) => option.value === rule) ? rule : "any";

// The mode of a new game: a devious codemaker needs a list of the codes.
const modeFor = (game, mode) => (mode === "devious" && !game.isListed ? "hidden" : mode);
const NO_DEVIOUS = "This size has too many codes for a devious codemaker, who needs a list of them.";

// The name of the words of a game with the player's own words.
const listOf = (game) => (game.name === "words-own" ? hashOf(ownText()).toString(36) : "");

// Begins a game; `later` are events after its start. Another game that has no move is dropped.
function begin(game, settings = {}, later = [], message = "") {
  const record = { id: settings.id ?? newId(), events: [startOf(game, settings), ...later] };
  const state = replay(record.events);
  positionOf(game, state); // may throw, before anything has changed
  if (play.record?.events.length === 1 && play.state.origin !== "daily") dropRecord(play.record.id);
  storeRecord(record);
  dropOldRecords();
  put(game, record, message);
}

const startGame = (settings) => begin(play.game, settings);

// Opens a game that is stored; throws a RangeError if its words are not.
async function openRecord(record, message = "") {
  const { game: name, list } = record.events[0];
  if (name === "words-own") lendList(list);
  put(await openGame(name), record, message);
}

// Puts a record on the board.
function put(game, record, message) {
  const state = replay(record.events);
  const position = positionOf(game, state);
  const isNew = play.game !== game;
  const isOther = play.record?.id !== record.id;
  Object.assign(play, { game, record, state, position });
  if (isNew) layTable(game);
  if (isNew || isOther) layStrategies(game, record.id);
  keep("current", record.id);
  say(message);
  showPlay();
}

// Adds an event to the game as it is stored: another tab may have added some.
function append(event, message = "") {
  const { id } = play.record;
  const { events } = recordOf(id) ?? play.record;
  const record = { id, events: [...events, event] };
  storeRecord(record);
  put(play.game, record, message);
}

// Adds the review's result, which changes nothing on the board.
function appendReview(lost) {
  const record = { ...play.record, events: [...play.record.events, { kind: "reviewed", lost }] };
  storeRecord(record);
  Object.assign(play, { record, state: replay(record.events) });
}

// Shows a message, which goes with the next event.
function say(text) {
  find("play-refused").textContent = text;
}

// What belongs to a game and not to its record: its name in the list, palette, rules of guesses.
function layTable(game) {
  const select = find("play-game");
  const isListed = [...select.options].some((option) => option.value === game.name);
  if (!isListed) select.lastElementChild.prepend(make("option", { value: game.name, text: game.title }));
  select.value = game.name;
  for (const id of ["daily-told", "start-daily-told"]) find(id).textContent = dailyWords(game);
  find("assistant").style.setProperty("--pegs", game.pegs);
  layPalette(game);
}

// Strategies and openings that links brought with them, by the record that they are for.
const lentStrategies = new Map();

// The strategies of a game, with the one that is set for it, or that came with its link; and the opening in the same way.
function layStrategies(game, id) {
  const lent = lentStrategies.get(id);
  const wanted = lent ? lent.strategy : kept("strategies")?.[game.name];
  play.strategy = fillStrategies(find("play-strategy"), game, wanted);
  play.opening = lent ? lent.opening : (kept("openings")?.[game.name] ?? "");
}

// The player's moves, as the interface calls them.
const playMove = (guess, id) =>
  append({ kind: "move", guess: play.game.guesses[guess], answer: play.game.feedback[id] });

function playGuess(guess) {
  const { game, position } = play;
  playMove(
    guess,
    position.hidden === null
      ? deviousAnswer(game, guess, position.candidates.members)
      : game.feedbackOf(guess, position.hidden),
  );
}

function undo() {
  if (!mayFollow(play.state, { kind: "undo" })) return;
  append({ kind: "undo" });
}

// Asks before a game that has begun is left.
function sure(text, yes, then) {
  const { position } = play;
  if (position.asked.length === 0 || position.isOver) return then();
  find("sure-text").textContent = text;
  find("sure-yes").textContent = yes;
  find("sure-yes").onclick = () => {
    find("sure").close();
    then();
  };
  find("sure").showModal();
}

find("sure-no").addEventListener("click", () => find("sure").close());

// Another tab may have played on in the same game.
addEventListener("storage", ({ key }) => {
  const record =
    play.record && key === `codebreaker.${RECORD}${play.record.id}` ? recordOf(play.record.id) : null;
  if (record) put(play.game, record, "");
});
