/**
 * The common fields of buy and claim requests: the start token, and the challenge where the sale
 * asks for one. Written by hand because a schema library is a third of the gate's size limit.
 */
import type { Parsed } from '../lib/parse.ts'

/** `challenge` is the sale's challenge, solved, in ALTCHA's base64 form. */
export type Entry = { startToken: string; challenge?: string }

export type Fields = Record<string, unknown>

const startTokenPattern = /^[A-Za-z0-9_-]{22,64}$/
const challengePattern = /^[A-Za-z0-9+/=_-]{1,1800}$/
const known = ['startToken', 'challenge']

/** Whether `value` has the form of a start token. */
export function isStartToken(value: unknown): value is string {
  return typeof value === 'string' && startTokenPattern.test(value)
}

/** Whether `value` has the form of a solved challenge. */
export function isSolvedChallenge(value: unknown): value is string {
  return typeof value === 'string' && challengePattern.test(value)
}

/** The members of a JSON object; undefined for anything else. */
export function fieldsIn(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** `value` as an entry, or its first fault. `others` are the fields that the caller parses. */
export function parseEntry(value: unknown, others: readonly string[]): Parsed<Entry> {
  const given = fieldsIn(value)
  if (given === undefined) return faultOf('body', 'must be a JSON object')
  const { startToken, challenge } = given
  if (!isStartToken(startToken)) {
    return faultOf('startToken', 'must be the one of the countdown')
  }
  if (challenge !== undefined && !isSolvedChallenge(challenge)) return faultOf('challenge', 'is not a solved challenge')
  const unknown = Object.keys(given).find((name) => !known.includes(name) && !others.includes(name))
  if (unknown !== undefined) return faultOf(unknown, 'is not a known field')
  return { ok: true, value: challenge === undefined ? { startToken } : { startToken, challenge } }
}

export function faultOf(field: string, what: string): Parsed<never> {
  return { ok: false, field, detail: `${field} ${what}` }
}
