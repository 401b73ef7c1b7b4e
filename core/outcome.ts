/** All outcomes of calls: code, HTTP status and title, and the reply codes of reserve.lua (S2, S6). */
import type { Role } from './roles.ts'

type Entry = { status: number; title: string }

const table = {
  reserved: { status: 202, title: 'Reserved' },
  repeat: { status: 200, title: 'Already reserved' },
  claimed: { status: 200, title: 'Claimed' },
  'unknown-sale': { status: 404, title: 'Sale not found' },
  'not-started': { status: 425, title: 'The sale has not started' },
  paused: { status: 409, title: 'The sale is paused' },
  ended: { status: 410, title: 'The sale has ended' },
  'not-your-turn': { status: 425, title: 'Not your turn yet' },
  'stale-page': { status: 409, title: 'The page is out of date' },
  'invalid-request': { status: 400, title: 'Invalid request' },
  'limit-reached': { status: 409, title: 'Limit per person reached' },
  'sold-out': { status: 410, title: 'Sold out' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  'at-capacity': { status: 429, title: 'At capacity right now' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'sign-in-required': { status: 401, title: 'Sign-in required' },
  'signature-invalid': { status: 401, title: 'Invalid signature' },
  'role-required': { status: 403, title: 'Role required' },
  'origin-not-allowed': { status: 403, title: 'Origin not allowed' },
  'level-too-low': { status: 403, title: 'Member level too low' },
  blocked: { status: 403, title: 'Blocked' },
  'challenge-required': { status: 403, title: 'Challenge required' },
  'challenge-failed': { status: 403, title: 'Challenge failed' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  'too-large': { status: 413, title: 'Too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
} as const satisfies Record<string, Entry>

/** The reply codes of reserve.lua. The script never replies with the other kinds. */
export const luaCodes = {
  reserved: 1,
  repeat: 2,
  'unknown-sale': 10,
  'not-started': 11,
  paused: 12,
  ended: 13,
  'stale-page': 14,
  'invalid-request': 15,
  'limit-reached': 16,
  'sold-out': 17,
  unavailable: 18,
  'too-many-requests': 19,
} as const satisfies Partial<Record<keyof typeof table, number>>

export type OutcomeKind = keyof typeof table
export type ProblemCode = Exclude<OutcomeKind, 'reserved' | 'repeat' | 'claimed'>

/** Used when a variant has no unit left while the sale has some. */
export const soldOutInChoice = 'Sold out in this choice.'

export const outcomes: Readonly<Record<OutcomeKind, Entry>> = table

/**
 * An RFC 9457 problem with the members of this project. `code` is stable; `detail` is for people. `field` is the first
 * invalid field, `fields` are all if there are several. `variant` is the id of one with too few units. `lookup` is the path
 * at which a shopper finds the result of an earlier request. `reason` and its `values` say why the control API rejected a
 * change. The call needs one of `roles`.
 */
export type Problem = {
  type: string
  title: string
  status: number
  code: ProblemCode
  detail: string
  field?: string
  fields?: readonly string[]
  remaining?: number
  variant?: string
  retryAfterSeconds?: number
  now?: number
  lookup?: string
  reason?: string
  values?: Readonly<Record<string, string | number>>
  roles?: readonly Role[]
}

export type ProblemFacts = Partial<
  Pick<
    Problem,
    | 'field'
    | 'fields'
    | 'remaining'
    | 'variant'
    | 'retryAfterSeconds'
    | 'now'
    | 'lookup'
    | 'reason'
    | 'values'
    | 'roles'
  >
>

/** Returns the problem document for `code`; `detail` says what happened and what to do in one plain sentence. */
export function problem(code: ProblemCode, detail: string, facts: ProblemFacts = {}): Problem {
  const { status, title } = outcomes[code]
  return { type: `urn:sluice:problem:${code}`, title, status, code, detail, ...facts }
}
