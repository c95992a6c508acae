// Questions to the worker. A new question of a kind, or `forget`, ends the one before.
import { find } from "./elements.js";

/** @import { AnyGame } from "../engine/unlisted.js" */

const desks = new Map();

// Resolves with the answer, or null if the question was given up; `onPart` gets partial answers.
/** @type {(kind: string, game: AnyGame, question: object, onPart?: (part: any) => void) => Promise<any>} */
export function ask(kind, game, question, onPart = () => {}) {
  const desk = desks.get(kind) ?? { worker: null, game: null, id: 0, resolve: null, onPart: null };
  desks.set(kind, desk);
  if (desk.resolve) forget(kind);
  if (!desk.worker) {
    desk.worker = new Worker(engineAddress());
    desk.game = null;
    desk.worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
      if (data.id !== desk.id || !desk.resolve) return;
      if ("part" in data) return desk.onPart(data.part);
      const { resolve } = desk;
      desk.resolve = null;
      resolve(data.answer);
    };
  }
  desk.worker.postMessage({
    id: ++desk.id,
    kind,
    question,
    game: desk.game === game ? null : game.rules,
  });
  Object.assign(desk, { game, onPart });
  return new Promise((resolve) => (desk.resolve = resolve));
}

// Gives a question up: the worker that computes it is ended.
/** @type {(kind: string) => void} */
export function forget(kind) {
  const desk = desks.get(kind);
  if (!desk?.resolve) return;
  desk.worker.terminate();
  desk.worker = null;
  desk.resolve(null);
  desk.resolve = null;
}

let engine = null;

const engineAddress =
  () => (engine ??= URL.createObjectURL(new Blob([find("engine").textContent], { type: "text/javascript" })));
