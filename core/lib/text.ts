/**
 * Texts that people write and others read. What turns the direction of the text after it would show another text than
 * the one stored, and half of a surrogate pair cannot be stored at all. A mark of direction, such as U+200F, stands for
 * itself alone, and titles in Hebrew and Arabic have it.
 */
import * as z from 'zod/mini'
import { maxLanguages } from '../language.ts'

const oneLinePattern = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u

/** As `ofOneLine`, and with line breaks and tabs. */
const linesPattern = /^(?:[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]|[\n\r\t])*$/u

/** What a reader sees: not only spaces, marks, and characters that are shown as nothing. */
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

/** A text of one line, without spaces around it. */
export const line = (maxLength: number) => text(maxLength, oneLinePattern, 'must be plain text on one line')

/** A text that may have several lines. */
export const lines = (maxLength: number) => text(maxLength, linesPattern, 'must be plain text')

/** Returns the paragraphs of a text, which empty lines separate. The page and its script share this. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
}

const tagMessage = 'must be a language tag, such as en or zh-CN'

/** A language tag (BCP 47) as files of `languages/` are named. */
export const languageTag = () =>
  z.string(tagMessage).check(z.regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, tagMessage))

/** The same text of one line in other languages, by their tags; optional. */
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
 * What a person typed or pasted where letters, digits and signs alone count: without characters that show nothing, such
 * as marks of direction and variation selectors, full-width letters as the usual ones, and digits of any script as 0 to 9.
 */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .trim()

/** Returns a code as people type, paste or read it aloud: `plainText`, in which spaces and dashes only group. */
export const plainCode = (text: string): string => plainText(text).replace(/[\s\p{Pd}]/gu, '')

/** A number, as `shown`, with its noun, in what commands print: `1 unit`, `2 units`. Pages have `words`. */
export const counted = (n: number, noun: string, shown = String(n)): string => `${shown} ${noun}${n === 1 ? '' : 's'}`

/** What is between the commas and semicolons of a list as people type it, in any script. */
export const splitList = (text: string): string[] =>
  text
    .split(/[,;，；、،؛]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The same for a list of single words, which spaces separate too. */
export const splitWords = (text: string): string[] => splitList(text).flatMap((part) => part.split(/\s+/))

/** Returns a text of people in a sentence, whose direction it does not change (U+2068, U+2069). */
export const isolated = (text: string): string => `\u2068${text}\u2069`

/** What some runtimes take and the IANA database lacks: offsets, such as `+02:00`, and short names, of which `BST` is Dhaka's. */
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
