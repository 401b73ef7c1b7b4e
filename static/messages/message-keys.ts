/** Which words there are. The build evaluates this module: a script has no text of it. */
import { clickProblems } from './click-problems.ts'
import { consoleMessages } from './console.ts'

/** Problems of a click that have words. */
export const clickProblemCodes: readonly string[] = Object.keys(clickProblems).map((key) =>
  key.slice('problem.'.length),
)

/** Words that coupons and red packets have of their own in the console. */
export const kindKeys: Readonly<Record<string, true>> = Object.fromEntries(
  Object.keys(consoleMessages)
    .filter((key) => /^(?:coupon|red-packet)\./.test(key))
    .map((key) => [key, true]),
)
