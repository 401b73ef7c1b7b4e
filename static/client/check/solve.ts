/**
 * Works a challenge out (R5). Of the ALTCHA package this takes the solver and its worker and not
 * the widget: 1 kB instead of 30, and the words and the button are the page's own.
 */
import { type Challenge, type ChallengeParameters, solveChallengeWorkers } from 'altcha/lib'
import { fieldsOf } from '../lib/wire.ts'
import type { Solved } from './person-check.ts'

/** More would only make the phone hot: an ordinary challenge takes two workers about a second. */
const maxWorkers = 4

/**
 * Solves the challenge in an answer of the shop; undefined for any other answer, or when there is no
 * solution within 90 s.
 */
export async function solve(body: unknown, createWorker: () => Worker, cores: number): Promise<Solved | undefined> {
  const read = readChallenge(body)
  if (read === undefined) return undefined
  const { challenge, expiresAt } = read
  try {
    const solution = await solveChallengeWorkers({
      challenge,
      concurrency: Math.min(maxWorkers, cores),
      createWorker,
    })
    if (solution === null) return undefined
    return { payload: btoa(JSON.stringify({ challenge, solution })), expiresAt }
  } catch {
    // A worker that does not load reports an event without a reason, so the cases cannot be
    // distinguished.
    return undefined
  }
}

/**
 * The signed challenge, whole as it came because its signature covers every field, and its end in
 * epoch ms.
 */
function readChallenge(body: unknown): { challenge: Challenge; expiresAt: number } | undefined {
  const { parameters, signature } = fieldsOf(body) ?? {}
  if (!isWork(parameters) || typeof signature !== 'string') return undefined
  return { challenge: { parameters, signature }, expiresAt: parameters.expiresAt * 1000 }
}

function isWork(parameters: unknown): parameters is ChallengeParameters & { expiresAt: number } {
  const { algorithm, nonce, salt, keyPrefix, cost, expiresAt } = fieldsOf(parameters) ?? {}
  const texts = [algorithm, nonce, salt, keyPrefix].every((text) => typeof text === 'string')
  return texts && Number.isSafeInteger(cost) && Number.isSafeInteger(expiresAt)
}
