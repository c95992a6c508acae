// The terms of criteria: what a part of so many of the candidates adds to a guess's score. `report/terms.py` writes
// them from the criteria of Python, in place of this file.
/** @type {Record<string, (count: number, total: number) => number>} */
export const CELLS = {};
