// The colours of symbols, by number. `report/site.py` writes those of Python in place of this file.
export const COLOURS = [];
