/** Whether an ID token names a second factor. Only then a session has a role: a password may be stolen. */
import * as z from 'zod/mini'
import { nonEmpty } from '../../core/stock/database.ts'

/** `claim` is, or holds, one of `values`. `notRequired` says why this stage needs no second factor for roles. */
export const secondFactor = z.union(
  [
    z.strictObject({ claim: nonEmpty, values: z.array(nonEmpty).check(z.minLength(1)) }),
    z.strictObject({ notRequired: nonEmpty }),
  ],
  'must have a claim and its values, or a reason in notRequired',
)

export type SecondFactor = z.infer<typeof secondFactor>

/** RFC 8176, 2. A pool of Cognito has a claim of its own (docs/how-to/deploy.md). */
const multipleFactors: SecondFactor = { claim: 'amr', values: ['mfa'] }

/** A stage without the setting asks for `mfa` in `amr`. */
export function provesSecondFactor(
  setting: SecondFactor = multipleFactors,
  claims: Readonly<Record<string, unknown>>,
): boolean {
  if (isWaived(setting)) return false
  const said = Object.hasOwn(claims, setting.claim) ? claims[setting.claim] : undefined
  const words: readonly unknown[] = Array.isArray(said) ? said : [said]
  return words.some((word) => typeof word === 'string' && setting.values.includes(word))
}

/** Whether this stage gives roles without a second factor. */
export function isWaived(setting: SecondFactor | undefined): setting is { notRequired: string } {
  return setting !== undefined && 'notRequired' in setting
}
