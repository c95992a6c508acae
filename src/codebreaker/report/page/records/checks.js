// What stored values are made of.
import { LONGEST_TEXT } from "../engine/limits.js";

/** @type {(value: any) => boolean} */
export const isText = (value) => typeof value === "string";
/** @type {(value: any) => boolean} */
export const isPlain = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);

/** @type {(isPart: (value: any) => boolean) => (value: any) => boolean} */
export function isObjectOf(isPart) {
  return (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(isPart);
}

/** @type {(value: any) => boolean} */
export const isShortText = (value) => isText(value) && value.length <= LONGEST_TEXT;
