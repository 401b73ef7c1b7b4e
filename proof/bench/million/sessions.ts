/** The sessions of a million shoppers, as they are after the sign-in: a token, and a pass that proves it. */
import { createPrivateKey, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { newKey } from '../../../cli/identity.ts'
import { startStep } from '../../../cli/progress.ts'
import { parseShopperId } from '../../../core/ids.ts'
import type { Config } from '../../../edge/config.ts'
import { issuePass, proofSecretOf } from '../../../edge/memory/passes.ts'
import { digestOf } from '../../../edge/memory/tokens.ts'
import { publicHalf } from '../../../functions/lib/session-token.ts'
import { readPassKeys } from './front.ts'
import { shopperName } from './play.ts'

/** By the number of the shopper. `publicKey` verifies the tokens. */
export type SignedSessions = { of: readonly { token: string; pass: string }[]; publicKey: JWK }

/** Signatures that are computed at once: the machine has more than one processor. */
const signedAtOnce = 256

const lifeSeconds = 3600

const signBytes = promisify(sign)

/**
 * Signs `count` sessions with a key of their own, by Node alone: the library that the shop signs them with takes twice as
 * long. All are signed before the first case: the virtual clock may be behind the machine's, and a session from the future
 * is not valid.
 */
export async function openSessions(gate: Config, count: number): Promise<SignedSessions> {
  const step = startStep('signing in', count)
  const passKeys = await readPassKeys(gate)
  const secret = proofSecretOf(gate)
  const jwk = await newKey(undefined)
  const publicKey = await publicHalf(jwk)
  const { kid: keyId = '' } = publicKey
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const iat = Math.floor(Date.now() / 1000)
  const head = encoded({ alg: 'ES256', kid: keyId })
  const openSession = async (number: number) => {
    const sub = shopperName({ number })
    const { issuer: iss, audience: aud } = gate
    const text = `${head}.${encoded({ sub, iss, aud, iat, exp: iat + lifeSeconds })}`
    const signature = await signBytes('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
    const token = `${text}.${signature.toString('base64url')}`
    const shopperId = parseShopperId(sub)
    const session = { secret, digest: digestOf(token), keyId }
    const pass = shopperId && issuePass(shopperId, passKeys, Date.now(), session)
    if (pass === undefined) throw new Error('the gate has no key for a pass')
    return { token, pass }
  }
  const opened: Awaited<ReturnType<typeof openSession>>[] = []
  while (opened.length < count) {
    const from = opened.length
    const some = Math.min(signedAtOnce, count - from)
    opened.push(...(await Promise.all(Array.from({ length: some }, (_, index) => openSession(from + index)))))
    step.to(opened.length)
  }
  step.end()
  return { of: opened, publicKey }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
