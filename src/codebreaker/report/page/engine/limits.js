// Limits on what a stranger may have made, in a link or a text.

export const LONGEST_TEXT = 500000;
export const MOST_MOVES = 200;
