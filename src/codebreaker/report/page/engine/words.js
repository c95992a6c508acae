// Numbers and counts in words.

// A whole number with commas between thousands. (`toLocaleString` takes 17 ms the first time.)
/** @type {(n: number) => string} */
export const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** @type {(n: number, one: string, many?: string) => string} */
export const several = (n, one, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
/** @type {(text: string) => string} */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

// A probability in words.
/** @type {(share: number) => string} */
export function percent(share) {
  if (share === 0 || share === 1) return share === 0 ? "never" : "certain";
  return share < 0.0005 ? "< 0.1%" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
}

// Numbers of candidates on average: large ones without a decimal.
/** @type {(n: number) => string} */
export const average = (n) => (n < 1000 ? n.toFixed(1) : grouped(Math.round(n)));

// An estimated number of candidates.
/** @type {(value: number) => string} */
export const whole = (value) => rounded(Math.round(value));

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// An estimate in three digits: with commas below a million, otherwise with a power of ten.
/** @type {(value: number) => string} */
export function rounded(value) {
  if (value < 100) return String(Number(value.toPrecision(3)));
  if (value < 1e6) return grouped(Math.round(Number(value.toPrecision(3))));
  const power = Math.floor(Math.log10(value));
  const digits = [...String(power)].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `${(value / 10 ** power).toFixed(2)}\u00a0×\u00a010${digits}`;
}
