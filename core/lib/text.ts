/**
 * Validates and normalises texts of people. Characters that override the direction of the following text are rejected,
 * because the text would look different from the stored one. Half of a surrogate pair cannot be stored. Plain direction
 * marks such as U+200F are allowed, because titles in Hebrew and Arabic have them.
 */
import * as z from 'zod/mini'
import { maxLanguages } from '../language.ts'

const oneLinePattern = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u

/** `oneLinePattern` plus line breaks and tabs. */
const linesPattern = /^(?:[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]|[\n\r\t])*$/u

/** A visible character: no space, no combining mark, and nothing that is displayed as nothing. */
const visible = /[^\s\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

const text = (maxLength: number, shape: RegExp, message: string) =>
  z
    .string('must be a string')
    .check(
      z.trim(),
      z.regex(visible, 'must not be empty'),
      z.maxLength(maxLength, `must be at most ${maxLength} characters`),
      z.regex(shape, message),
    )

/** Returns the schema of a trimmed text on one line. */
export const line = (maxLength: number) => text(maxLength, oneLinePattern, 'must be plain text on one line')

/** Returns the schema of a trimmed text that may have several lines. */
export const lines = (maxLength: number) => text(maxLength, linesPattern, 'must be plain text')

/** Returns the paragraphs of a text, which empty lines separate. Used by the rendered page and by its script. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
}

const tagMessage = 'must be a language tag, such as en or zh-CN'

/** Returns the schema of a language tag (BCP 47), as in the file names of `languages/`. */
export const languageTag = () =>
  z.string(tagMessage).check(z.regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, tagMessage))

/** Returns the optional schema of translations of a text on one line, by language tag. */
export const linesByLanguage = (maxLength: number) =>
  z.optional(
    z
      .record(languageTag(), line(maxLength), 'must be an object by language')
      .check(
        z.refine((texts) => Object.keys(texts).length <= maxLanguages, `must have at most ${maxLanguages} languages`),
      ),
  )

const digitOf = (digit: string) => {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/**
 * Normalises typed or pasted text: removes invisible characters such as direction marks and variation selectors, converts
 * full-width letters to ordinary ones and digits of any script to 0 to 9, and trims.
 */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .trim()

/** Returns `plainText` without spaces and dashes, which people use to group the characters of a code. */
export const plainCode = (text: string): string => plainText(text).replace(/[\s\p{Pd}]/gu, '')

/** Returns a number with its noun for the output of commands: `1 unit`, `2 units`. Pages use translated texts. */
export const counted = (n: number, noun: string, shown = String(n)): string => `${shown} ${noun}${n === 1 ? '' : 's'}`

/** Splits a typed list at commas and semicolons of any script. */
export const splitList = (text: string): string[] =>
  text
    .split(/[,;，；、،؛]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Splits a typed list of single words, at spaces too. */
export const splitWords = (text: string): string[] => splitList(text).flatMap((part) => part.split(/\s+/))

/** Isolates a text within a sentence, so that it does not change the sentence's direction (U+2068, U+2069). */
export const isolated = (text: string): string => `\u2068${text}\u2069`

/** Zones that some runtimes accept but IANA lacks: offsets such as `+02:00`, and short names (`BST` would be Dhaka). */
const nonIanaZone = /^(?![a-z])|^(?!(?:[CEMW]ET|[EHM]ST|GMT|PRC|RO[CK]|UCT|UTC)$)[a-z]{3}$|^SystemV\//i

/** True for the IANA name of a time zone, such as `Europe/Berlin`, that this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (nonIanaZone.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
