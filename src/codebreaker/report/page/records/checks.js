// What stored values are made of.
import { LONGEST_TEXT } from "../engine/limits.js";

export const isText = (value) => typeof value === "string";
export const isPlain = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);

export function isObjectOf(isPart) {
  return (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(isPart);
}

export const isShortText = (value) => isText(value) && value.length <= LONGEST_TEXT;
