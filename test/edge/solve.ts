/** Solves a challenge as the page does, without a browser. */
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

/** `challenge` solved and packed into the text that the page sends with its buy request. */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('the challenge was not solved in time')
  return pack({ challenge, solution })
}

export function pack(payload: unknown): string {
  return btoa(JSON.stringify(payload))
}

export function unpack(text: string): unknown {
  return JSON.parse(atob(text))
}
