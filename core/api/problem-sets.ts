/** Problem codes that several operations may answer, grouped like the routes of the gate (`edge/funnel.ts`). */
import type { ProblemCode } from '../outcome.ts'

/** Problems of every call. */
export const publicProblems = ['invalid-request', 'too-large', 'unavailable'] as const satisfies readonly ProblemCode[]

/** Problems of every call with a session. */
const sessionProblems = [
  ...publicProblems,
  ...['sign-in-required', 'blocked', 'origin-not-allowed'],
] as const satisfies readonly ProblemCode[]

/** Problems of a shopper's reads: pass, orders, wallet. */
export const readProblems = [...sessionProblems, 'too-many-requests'] as const satisfies readonly ProblemCode[]

/** Problems of a shopper's changes: orders, wallet, personal data. */
export const changeProblems = [...readProblems, 'unsupported-media-type'] as const satisfies readonly ProblemCode[]

/** Problems of every call of the shop's staff. */
export const staffProblems = [
  ...sessionProblems,
  ...['unsupported-media-type', 'role-required'],
] as const satisfies readonly ProblemCode[]

/** Problems of every call of a till or web shop. */
export const shopProblems = [
  ...publicProblems,
  ...['unsupported-media-type', 'sign-in-required', 'blocked', 'too-many-requests'],
] as const satisfies readonly ProblemCode[]
