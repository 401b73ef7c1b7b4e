/**
 * Signs and verifies passes (pass.ts). An HMAC costs a few microseconds, so nothing is remembered.
 *
 * To verify the signature of a session (ES256) costs more than all other checks of a click together. The gate has done
 * so when it gave the pass, and says so in it by a proof, which another instance verifies for a tenth of that. The
 * proof replaces the signature alone: issuer, key, times and lists are checked for each click as without it.
 */
import { createHmac, hash } from 'node:crypto'
import {
  dayOf,
  type Pass,
  type PassKeys,
  passLifeSeconds,
  passPattern,
  shopperHashLength,
} from '../../core/gate/pass.ts'
import type { ShopperId } from '../../core/ids.ts'
import type { Config } from '../config.ts'
import { isSameSecret } from '../constant-time.ts'

/** The hash of a shopper in passes, which is the same for all sales and days. */
export function shopperHashOf(shopperId: ShopperId): string {
  return hash('sha256', shopperId, 'base64url').slice(0, shopperHashLength)
}

/** A session that the gate has verified: the digest of its token, and the id of the key that signed it. */
export type ProvenSession = { digest: string; keyId: string }

/** The gate's own secret, which neither the store nor CloudFront's functions have, with a session. */
type Proving = ProvenSession & { secret: string }

/** `proves`: the gate verified this very token, with this key, when it gave the pass. */
export type SignedPass = Pass & { proves(session: Proving): boolean }

/** The secret behind the proofs of sessions: the settings have at least one key of challenges. */
export const proofSecretOf = ({ challengeKeys: [first = ''] }: Pick<Config, 'challengeKeys'>): string => first

/** The length of a proof: 128 bits and more in base64url. */
const proofLength = 22

/** A pass as from `now` (epoch ms), with a proof of `session`; undefined while its key is not known. */
export function issuePass(shopperId: ShopperId, keys: PassKeys, now: number, session?: Proving): string | undefined {
  const expiresAt = Math.floor(now / 1000) + passLifeSeconds
  const key = keys.get(dayOf(expiresAt))
  if (key === undefined) return undefined
  const head = `v1.${shopperHashOf(shopperId)}.${expiresAt}`
  const pass = `${head}.${signatureOf(head, key)}`
  return session === undefined ? pass : `${pass}.${proofOf(head, key, session)}`
}

/** `unknown`: signed with an unknown key, which proves nothing. Undefined for an invalid pass at `now` (epoch ms). */
export function verifyPass(text: string | undefined, keys: PassKeys, now: number): SignedPass | 'unknown' | undefined {
  if (keys.size === 0) return 'unknown'
  const [, shopperHash, expiry, signature, proof = ''] = (text && passPattern.exec(text)) || []
  if (shopperHash === undefined || signature === undefined) return undefined
  const expiresAt = Number(expiry)
  const leftSeconds = expiresAt - now / 1000
  if (leftSeconds <= 0 || leftSeconds > passLifeSeconds + clockSlackSeconds) return undefined
  const key = keys.get(dayOf(expiresAt))
  if (key === undefined) return 'unknown'
  const head = `v1.${shopperHash}.${expiry}`
  if (!isSameSecret(signatureOf(head, key), signature)) return undefined
  return { shopperHash, expiresAt, proves: (session) => isSameSecret(proofOf(head, key, session), proof) }
}

/** Edges may disagree by this much about how long a pass is valid. */
export const clockSlackSeconds = 60

function signatureOf(head: string, key: string): string {
  return createHmac('sha256', key).update(head).digest('base64url')
}

/**
 * Its key is of two secrets, so it takes both to forge a session: the key of the pass, which the store of CloudFront's
 * functions has too, and `secret`. New keys of passes void the proofs as well.
 */
function proofOf(head: string, key: string, { secret, digest, keyId }: Proving): string {
  return signatureOf([head, digest, keyId].join(' '), [secret, key].join(' ')).slice(0, proofLength)
}
