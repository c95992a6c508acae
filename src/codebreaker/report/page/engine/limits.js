// Limits on what a stranger may have made, in a link or a text.

export const LONGEST_TEXT = 500000;
export const MOST_MOVES = 200;
export const LARGEST_FILE = 16e6; // bytes of a file with a tree
export const MOST_TURNS = 100; // of its games
