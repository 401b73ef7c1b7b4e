/**
 * The one table of everything a shopper or marketer can be told: kind, the code reserve.lua replies with, the HTTP
 * status and the title. No other file knows the mapping. One code has one meaning (S2, S6).
 */

type Entry = { luaCode: number | null; status: number; title: string }

const table = {
  reserved: { luaCode: 1, status: 202, title: 'Reserved' },
  repeat: { luaCode: 2, status: 200, title: 'Already reserved' },
  'unknown-sale': { luaCode: 10, status: 404, title: 'There is no such sale' },
  'not-started': { luaCode: 11, status: 425, title: 'The sale has not started' },
  paused: { luaCode: 12, status: 409, title: 'The sale is paused' },
  ended: { luaCode: 13, status: 410, title: 'The sale has ended' },
  'stale-page': { luaCode: 14, status: 409, title: 'The page is out of date' },
  'invalid-request': { luaCode: 15, status: 400, title: 'The request is not valid' },
  'limit-reached': { luaCode: 16, status: 409, title: 'You have reached the limit for one shopper' },
  'sold-out': { luaCode: 17, status: 410, title: 'Sold out' },
  unavailable: { luaCode: 18, status: 503, title: 'Not available right now' },
  'too-many-requests': { luaCode: null, status: 429, title: 'Too many requests' },
  'sign-in-required': { luaCode: null, status: 401, title: 'Sign in first' },
  'signature-invalid': { luaCode: null, status: 401, title: 'The signature is not valid' },
  'role-required': { luaCode: null, status: 403, title: 'This needs the marketer role' },
  'origin-not-allowed': { luaCode: null, status: 403, title: 'This page may not make that call' },
  'not-found': { luaCode: null, status: 404, title: 'There is nothing here' },
  'method-not-allowed': { luaCode: null, status: 405, title: 'That method is not allowed here' },
  conflict: { luaCode: null, status: 409, title: 'That is not possible as things stand' },
  'too-large': { luaCode: null, status: 413, title: 'The request is too large' },
  'unsupported-media-type': { luaCode: null, status: 415, title: 'Send JSON' },
} as const satisfies Record<string, Entry>

export type OutcomeKind = keyof typeof table
export type SuccessKind = 'reserved' | 'repeat'
export type ProblemCode = Exclude<OutcomeKind, SuccessKind>

/** What reserve.lua can answer: exactly the kinds that have a code of their own. */
export type ReserveKind = {
  [K in OutcomeKind]: (typeof table)[K]['luaCode'] extends null ? never : K
}[OutcomeKind]

export const outcomes: Readonly<Record<OutcomeKind, Entry>> = table

const kindByLuaCode = new Map<number, ReserveKind>()
for (const [kind, { luaCode }] of Object.entries(table)) {
  if (luaCode !== null) kindByLuaCode.set(luaCode, kind as ReserveKind)
}

/** The kind behind a script's reply code, or undefined for a code no script of ours sends. */
export function kindOfLuaCode(code: number): ReserveKind | undefined {
  return kindByLuaCode.get(code)
}

/** An RFC 9457 problem, plus the members this project adds. `code` is stable; `detail` is for people. */
export type Problem = {
  type: string
  title: string
  status: number
  code: ProblemCode
  detail: string
  field?: string
  remaining?: number
  retryAfterSeconds?: number
  now?: number
}

export type ProblemFacts = Partial<Pick<Problem, 'field' | 'remaining' | 'retryAfterSeconds' | 'now'>>

/** The problem document for `code`; `detail` says what happened and what to do in one plain sentence. */
export function problem(code: ProblemCode, detail: string, facts: ProblemFacts = {}): Problem {
  const { status, title } = outcomes[code]
  return { type: `urn:sluice:problem:${code}`, title, status, code, detail, ...facts }
}
