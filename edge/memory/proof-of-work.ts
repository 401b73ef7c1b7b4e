/**
 * Proofs of work (R5): computing that one shopper does not notice and an operator of a thousand fake accounts does. A
 * challenge is signed and not stored. The signature covers shopper and sale, so a challenge is useless to other
 * shoppers. Only the store can say whether it was used before: see edge/checks/challenge.ts.
 *
 * Issuing costs one HMAC, and so does refusing a challenge of another issuer: no key is derived before the signature
 * has proven that the shop set its cost. Only a purchase that has passed all other checks costs a derivation.
 */
import { type Challenge, type ChallengeParameters, createChallenge, type Solution, verifySolution } from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { decodeJson } from '../../core/lib/json.ts'
import { type Challenge as AnyChallenge, challengeLifeMs } from './challenges.ts'

/** Issues challenges in the form that ALTCHA's solver reads. */
type ProofOfWork = Pick<AnyChallenge, 'verify'> & { issue(saleId: SaleId, shopperId: ShopperId): Promise<Challenge> }

/** One key in 256 begins with this byte: 256 tries on average, of `cost` iterations each. */
const keyPrefix = '00'
const work = { algorithm: 'PBKDF2/SHA-256', keyLength: 32, keyPrefix }

/** The first key signs; all are valid. `cost`: iterations of one try, by `deriveKey`. `clock` gives epoch ms. */
export function createChallenges(
  { keys, cost }: { keys: readonly string[]; cost: number },
  clock: () => number,
  deriveKey = pbkdf2,
): ProofOfWork {
  const termsOf = (saleId: SaleId, shopperId: ShopperId) => ({
    ...work,
    cost,
    data: { sale: saleId, shopper: shopperId },
  })

  return {
    issue: (saleId, shopperId) =>
      createChallenge({
        ...termsOf(saleId, shopperId),
        deriveKey,
        expiresAt: Math.floor((clock() + challengeLifeMs) / 1000),
        hmacSignatureSecret: keys[0],
      }),

    async verify(payload, saleId, shopperId) {
      const given = readPayload(payload)
      if (given === undefined) return undefined
      const { unique, terms, signature, solution } = given
      const expiresAt = unique.expiresAt * 1000
      const ours = termsOf(saleId, shopperId)
      if (expiresAt <= clock() || !agrees(terms, ours)) return undefined
      // The library compares in constant time. It also checks the expiry, against the system's clock.
      const challenge = { parameters: { ...ours, ...unique }, signature }
      for (const hmacSignatureSecret of keys) {
        const result = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
        if (result.verified) return { id: unique.nonce, expiresAt }
      }
      return undefined
    },
  }
}

type Payload = {
  /** The parts that differ between challenges; `expiresAt` is an epoch second. */
  unique: Pick<ChallengeParameters, 'nonce' | 'salt'> & { expiresAt: number }
  terms: Fields
  signature: string
  solution: Solution
}

type Fields = Readonly<Record<string, unknown>>

const sixteenBytes = /^[0-9a-f]{32}$/
const thirtyTwoBytes = /^[0-9a-f]{64}$/

/** The parts of a page's payload, each well formed and none verified yet. */
function readPayload(payload: string): Payload | undefined {
  const decoded = decodeJson(Buffer.from(payload, 'base64'))
  if (!decoded.ok) return undefined
  const { challenge, solution } = fieldsOf(decoded.value)
  const { parameters, signature } = fieldsOf(challenge)
  const { counter, derivedKey } = fieldsOf(solution)
  const { nonce, salt, expiresAt, ...terms } = fieldsOf(parameters)
  if (!isText(nonce, sixteenBytes) || !isText(salt, sixteenBytes)) return undefined
  if (!isText(signature, thirtyTwoBytes) || !isText(derivedKey, thirtyTwoBytes)) return undefined
  if (typeof expiresAt !== 'number' || typeof counter !== 'number') return undefined
  // Saves the derivation for a solution that does not even have the prefix.
  if (!derivedKey.startsWith(keyPrefix)) return undefined
  return { unique: { nonce, salt, expiresAt }, terms, signature, solution: { counter, derivedKey } }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' ? { ...value } : {}
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** True when `given` has all values of `ours`. */
function agrees(given: unknown, ours: object): boolean {
  const fields = fieldsOf(given)
  return Object.entries(ours).every(([name, value]) =>
    typeof value === 'object' ? agrees(fields[name], value) : fields[name] === value,
  )
}
