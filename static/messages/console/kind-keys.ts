/** Which words coupons and red packets have of their own. The build evaluates this module: a script has no text of it. */
import { consoleMessages } from '../console.ts'

export const kindKeys: Readonly<Record<string, true>> = Object.fromEntries(
  Object.keys(consoleMessages)
    .filter((key) => /^(?:coupon|red-packet)\./.test(key))
    .map((key) => [key, true]),
)
