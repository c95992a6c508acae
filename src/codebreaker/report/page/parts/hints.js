// Help by hints: more with each of them.
import { play } from "./play.js";

export const RUNGS = [
  "How many candidates are left?",
  "What is my guess worth?",
  "Good guesses",
  "The guess to play",
];

const KINDS_OF_HELP = { count: 1, check: 2, best: 3, suggest: 4 };

// If the secret is elsewhere, advice is there from the start.
/** @type {(kind: "count" | "check" | "best" | "suggest") => boolean} */
export function helps(kind) {
  const { mode, hints } = play.state;
  if (mode === "mine") return ["count", "suggest"].includes(kind) || hints > 0;
  return hints >= KINDS_OF_HELP[kind];
}
