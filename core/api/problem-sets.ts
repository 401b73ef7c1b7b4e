/** Problem codes that several operations may answer: those of the gate, by its routes (`edge/funnel.ts`). */
import type { ProblemCode } from '../outcome.ts'

/** What any call may be answered. */
export const publicProblems = ['invalid-request', 'too-large', 'unavailable'] as const satisfies readonly ProblemCode[]

/** What every call with a session may be answered. */
const sessionProblems = [
  ...publicProblems,
  ...['sign-in-required', 'blocked', 'origin-not-allowed'],
] as const satisfies readonly ProblemCode[]

/** Problems of a shopper who reads an own pass, order or wallet. */
export const readProblems = [...sessionProblems, 'too-many-requests'] as const satisfies readonly ProblemCode[]

/** Problems of a shopper who changes an own order, wallet or data. */
export const changeProblems = [...readProblems, 'unsupported-media-type'] as const satisfies readonly ProblemCode[]

/** What every call of the shop's staff may be answered. */
export const staffProblems = [
  ...sessionProblems,
  ...['unsupported-media-type', 'role-required'],
] as const satisfies readonly ProblemCode[]

/** What every call of a till or web shop may be answered. */
export const shopProblems = [
  ...publicProblems,
  ...['unsupported-media-type', 'sign-in-required', 'blocked', 'too-many-requests'],
] as const satisfies readonly ProblemCode[]
