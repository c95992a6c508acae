// The colours of symbols, by number. `report/site.py` writes those of Python in place of this file.

/** @typedef {{ name: string, letter: string, value: string, dark: boolean }} Colour */

/** @type {Colour[]} */
export const COLOURS = [];
