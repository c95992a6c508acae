// Random numbers from a seed, and seeds from texts.

// Random numbers from a seed of 32 bits: sfc32 of PractRand, whose first numbers are dropped.
export class Generator {
  /** @param {number} seed */
  constructor(seed) {
    this.state = Int32Array.of(0, seed, 0x9e3779b9, 1);
    for (let i = 0; i < 12; i++) this.bits();
  }

  bits() {
    const { state } = this;
    const [a, b, c, counter] = state;
    const result = (a + b + counter) | 0;
    state[3] = counter + 1;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  }

  // A number from 0 up to 1.
  next() {
    return this.bits() / 2 ** 32;
  }

  // An integer from 0 up to n.
  /** @type {(n: number) => number} */
  below(n) {
    return Math.floor(this.next() * n);
  }
}

// A short name of a text: FNV-1a.
/** @type {(text: string) => number} */
export function hashOf(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ Number(letter.codePointAt(0)), 16777619) >>> 0;
  return hash;
}
