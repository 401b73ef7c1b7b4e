/**
 * Proofs of work (R5): a little computing that one shopper does not notice and a thousand made-up ones do. A challenge is
 * signed and kept nowhere; shopper and sale are part of what is signed, so it is worth nothing to anybody else. Whether it
 * was used before only the store can say: see checks/first-use.ts.
 *
 * Issuing costs one HMAC. So does refusing what we did not issue: no key is derived before the signature has proven that
 * the cost of deriving it is ours. Only a purchase that has passed everything else costs a derivation.
 */
import {
  type Challenge,
  type ChallengeParameters,
  createChallenge,
  type Solution,
  verifySolution,
} from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2'
import type { SaleId, ShopperId } from '../core/ids.ts'
import { decodeJson } from '../core/json.ts'

/** `id` is the same for every solution of one challenge; `expiresAt` is epoch ms. */
export type Solved = { id: string; expiresAt: number }

export type Challenges = {
  /** A new challenge in the form that ALTCHA's solver reads. */
  issue(saleId: SaleId, shopperId: ShopperId): Promise<Challenge>
  /** The challenge that `payload`, as a page sends it, solves; undefined when not issued for these two or over. */
  verify(payload: string, saleId: SaleId, shopperId: ShopperId): Promise<Solved | undefined>
}

/** Long enough to solve before the start and wait for it, ms. */
const lifeMs = 10 * 60_000

/** One key in 256 begins with this byte: so many tries it takes on average, of `cost` iterations each. */
const keyPrefix = '00'
const work = { algorithm: 'PBKDF2/SHA-256', keyLength: 32, keyPrefix }

/**
 * The first of `keys` signs, challenges signed by any of them count; `cost` is the iterations of one try, `clock` gives epoch
 * ms. `deriveKey` is one try.
 */
export function createChallenges(
  { keys, cost }: { keys: readonly string[]; cost: number },
  clock: () => number,
  deriveKey = pbkdf2,
): Challenges {
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
        expiresAt: Math.floor((clock() + lifeMs) / 1000),
        hmacSignatureSecret: keys[0],
      }),

    async verify(payload, saleId, shopperId) {
      const given = readPayload(payload)
      if (given === undefined) return undefined
      const { unique, terms, signature, solution } = given
      const expiresAt = unique.expiresAt * 1000
      const ours = termsOf(saleId, shopperId)
      if (expiresAt <= clock() || !agrees(terms, ours)) return undefined
      // The library compares in constant time. It looks at the system's clock as well, which is ours but in tests.
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
  /** What differs from challenge to challenge, seconds since the epoch among it. */
  unique: Pick<ChallengeParameters, 'nonce' | 'salt'> & { expiresAt: number }
  terms: Fields
  signature: string
  solution: Solution
}

type Fields = Readonly<Record<string, unknown>>

const sixteenBytes = /^[0-9a-f]{32}$/
const thirtyTwoBytes = /^[0-9a-f]{64}$/

/** The parts of a page's payload, each of the right form and none of them believed yet. */
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
  // Saves the derivation where a solution does not even claim to be one.
  if (!derivedKey.startsWith(keyPrefix)) return undefined
  return { unique: { nonce, salt, expiresAt }, terms, signature, solution: { counter, derivedKey } }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' ? { ...value } : {}
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** Does `given` say of everything in `ours` what ours says? */
function agrees(given: unknown, ours: object): boolean {
  const fields = fieldsOf(given)
  return Object.entries(ours).every(([name, value]) =>
    typeof value === 'object' ? agrees(fields[name], value) : fields[name] === value,
  )
}
