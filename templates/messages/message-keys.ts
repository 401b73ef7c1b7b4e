/** Lists the message keys that exist. The build evaluates this module, so that scripts do not carry the texts. */
import { consoleMessages, problemMessages, refusalMessages } from './catalogues.ts'

const after = (prefix: string, messages: object): readonly string[] =>
  Object.keys(messages).map((key) => key.slice(prefix.length))

export const wordedProblems = after('problem.', problemMessages)

export const wordedRefusals = after('refusal.', refusalMessages)

/** The keys of the console that only coupons or red packets have. */
export const kindKeys: Readonly<Record<string, true>> = Object.fromEntries(
  Object.keys(consoleMessages)
    .filter((key) => /^(?:coupon|red-packet)\./.test(key))
    .map((key) => [key, true]),
)
