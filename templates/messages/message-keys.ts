/** Which words there are. The build evaluates this module: a script has no text of it. */
import { consoleMessages, problemMessages, refusalMessages } from './catalogues.ts'

const after = (prefix: string, messages: object): readonly string[] =>
  Object.keys(messages).map((key) => key.slice(prefix.length))

export const wordedProblems = after('problem.', problemMessages)

export const wordedRefusals = after('refusal.', refusalMessages)

/** Words that coupons and red packets have of their own in the console. */
export const kindKeys: Readonly<Record<string, true>> = Object.fromEntries(
  Object.keys(consoleMessages)
    .filter((key) => /^(?:coupon|red-packet)\./.test(key))
    .map((key) => [key, true]),
)
