/** A line of `npm run check`: `what` says what is wrong, and behind a semicolon what to do. */
export type Finding = { file: string; line: number; what: string }

export const printed = ({ file, line, what }: Finding): string => `${file}:${line}: ${what}`

/** A finding at an index of a file's text; at its beginning where the index is -1. */
export const findingAt = (file: string, text: string, index: number, what: string): Finding => ({
  ...{ file, what, line: text.slice(0, Math.max(index, 0)).split('\n').length },
})
