/** Reads the settings of sign-in from the environment: one JSON text that is no secret, and secrets. */
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'
import { roles } from '../../core/roles.ts'
import { nonEmpty } from '../../core/stock/database.ts'
import { jsonText } from '../lib/env.ts'
import { sealerKeys } from '../lib/sealer.ts'
import { signingKey } from '../lib/session-token.ts'

/**
 * Maps claims of an ID token to a shopper. `shopperId` is the subject, the subject prefixed with its issuer's host, or a
 * verified email address. `name` is shown in the header. `roleNames` maps the issuer's names of roles to ours; without it
 * the names are the same.
 */
const claimMapping = z.strictObject({
  shopperId: z.enum(['sub', 'issuer-and-sub', 'email']),
  name: z.optional(nonEmpty),
  level: z.optional(nonEmpty),
  roles: z.optional(nonEmpty),
  roleNames: z.optional(z.record(z.string(), z.enum(roles))),
})

export type ClaimMapping = z.infer<typeof claimMapping>

/**
 * The proof of a second factor in an ID token: `claim` equals or contains one of `values`. A session has roles only with
 * it, because a password may be stolen. `notRequired` is the reason why a stage gives roles without a second factor.
 */
export const secondFactor = z.union(
  [
    z.strictObject({ claim: nonEmpty, values: z.array(nonEmpty).check(z.minLength(1)) }),
    z.strictObject({ notRequired: nonEmpty }),
  ],
  'must have a claim and its values, or a reason in notRequired',
)

export type SecondFactor = z.infer<typeof secondFactor>

const issuer = z.string('is missing').check(z.refine(isIssuer, 'must be an https address, or http://localhost'))

const providerSettings = z.strictObject({
  issuer,
  clientId: nonEmpty,
  scope: nonEmpty,
  claims: claimMapping,
  endSession: z.optional(z.url('must be an address')),
  secondFactor: z.optional(secondFactor),
  session: z.strictObject({ issuer: nonEmpty, audience: nonEmpty, seconds: whole(60, 30 * 86_400) }),
})

/**
 * Issuer, client and claim mapping. `endSession` is the sign-out address of an issuer whose discovery document lacks it.
 * `secondFactor` is the proof that roles need. `session` is the issuer, audience and duration of our own tokens.
 */
export type SignInSettings = z.infer<typeof providerSettings>

/** A key in use, its successor and a spare, like the gate's keys. */
const maxKeys = 3

/** Variables of the function. Every list is JSON; its first key signs or encrypts. */
export const signInVariables = {
  SIGN_IN: jsonText(providerSettings, 'must be the settings of sign-in in JSON'),
  // Empty for a public client, which PKCE alone protects.
  SIGN_IN_CLIENT_SECRET: z.string('is missing'),
  SIGN_IN_SESSION_KEYS: jsonText(
    z.tuple([signingKey], signingKey).check(z.refine((keys) => keys.length <= maxKeys)),
    `must be a list in JSON of 1 to ${maxKeys} private ES256 keys as JWK`,
  ),
  SIGN_IN_COOKIE_KEYS: sealerKeys,
  PERSONAL_KEYS: sealerKeys,
  PERSONAL_DAYS: z.pipe(z.pipe(nonEmpty, z.transform(Number)), whole(1, 3650)),
}

/** Requires TLS, because ID tokens use this connection; an issuer on this machine has no certificate. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLocal({ protocol, hostname })
}

/** True for an issuer on this machine. */
export function isLocal({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'http:' && hostname === 'localhost'
}

/** RFC 8176, 2. A Cognito pool has a separate claim (docs/how-to/deploy.md). */
const multipleFactors: SecondFactor = { claim: 'amr', values: ['mfa'] }

/** True when the claims prove a second factor. A stage without the setting requires `mfa` in `amr`. */
export function provesSecondFactor(
  setting: SecondFactor = multipleFactors,
  claims: Readonly<Record<string, unknown>>,
): boolean {
  if (isWaived(setting)) return false
  const said = Object.hasOwn(claims, setting.claim) ? claims[setting.claim] : undefined
  const words: readonly unknown[] = Array.isArray(said) ? said : [said]
  return words.some((word) => typeof word === 'string' && setting.values.includes(word))
}

/** True when this stage gives roles without a second factor. */
export function isWaived(setting: SecondFactor | undefined): setting is { notRequired: string } {
  return setting !== undefined && 'notRequired' in setting
}
