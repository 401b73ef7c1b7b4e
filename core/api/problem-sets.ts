/** Problem codes that several operations may answer, the gate's with them. */
import type { ProblemCode } from '../outcome.ts'

/** What every call with a session may be answered. */
export const shopperProblems = [
  'invalid-request',
  'sign-in-required',
  'blocked',
  'origin-not-allowed',
  'not-found',
  'method-not-allowed',
  'too-many-requests',
  'unavailable',
] as const satisfies readonly ProblemCode[]

/** What a change of a shopper's own order, wallet or data may be answered. */
export const changeProblems = [
  ...shopperProblems,
  ...['too-large', 'unsupported-media-type', 'conflict'],
] as const satisfies readonly ProblemCode[]

/** What every call of the shop's staff may be answered. */
export const staffProblems = [...shopperProblems, 'role-required'] as const satisfies readonly ProblemCode[]

/** What a change by the shop's staff may be answered. */
export const staffChangeProblems = [
  ...changeProblems,
  'role-required',
] as const satisfies readonly ProblemCode[]
