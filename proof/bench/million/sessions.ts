/**
 * The sessions of a million shoppers, as they are after the sign-in: a token, and a pass that proves it. The gate has verified a
 * token when it gives the pass, and verifies it no more, so random bytes stand for the signature.
 */
import { randomBytes } from 'node:crypto'
import type { JWK } from 'jose'
import { newKey } from '../../../cli/identity.ts'
import { parseShopperId } from '../../../core/ids.ts'
import type { Config } from '../../../edge/config.ts'
import { issuePass, proofSecretOf } from '../../../edge/memory/passes.ts'
import { digestOf } from '../../../edge/memory/tokens.ts'
import { publicHalf } from '../../../functions/lib/session-token.ts'
import { readPassKeys } from './front.ts'
import { shopperName } from './play.ts'

/** By the number of the shopper. `publicKey` is that of the key which their tokens name. */
export type ClickSessions = { of: readonly { token: string; pass: string }[]; publicKey: JWK }

const lifeSeconds = 3600

const signatureBytes = 64

/**
 * All are opened before the first case: the virtual clock may be behind the machine's, and a session from the future is not
 * valid.
 */
export async function openSessions(gate: Config, count: number): Promise<ClickSessions> {
  const passKeys = await readPassKeys(gate)
  const secret = proofSecretOf(gate)
  const publicKey = await publicHalf(await newKey(undefined))
  const { kid: keyId = '' } = publicKey
  const iat = Math.floor(Date.now() / 1000)
  const head = encoded({ alg: 'ES256', kid: keyId })
  const openSession = (number: number) => {
    const sub = shopperName({ number })
    const { issuer: iss, audience: aud } = gate
    const signature = randomBytes(signatureBytes).toString('base64url')
    const token = `${head}.${encoded({ sub, iss, aud, iat, exp: iat + lifeSeconds })}.${signature}`
    const shopperId = parseShopperId(sub)
    const session = { secret, digest: digestOf(token), keyId }
    const pass = shopperId && issuePass(shopperId, passKeys, Date.now(), session)
    if (pass === undefined) throw new Error('the gate has no key for a pass')
    return { token, pass }
  }
  return { of: Array.from({ length: count }, (_, number) => openSession(number)), publicKey }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
