/**
 * The caller. The gate verified the token and set these headers after deleting a client's headers
 * of the same names; the function URL accepts only requests signed by the distribution. Missing
 * headers mean that the request did not pass the gate: the answer is 401.
 */
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import { problem } from '../../../core/outcome.ts'
import { type HttpAnswer, problemAnswer } from './answer.ts'

export type Caller = { shopperId: ShopperId; roles: readonly string[]; requestId: string }

/** The caller, or undefined when the gate's headers are missing or malformed. */
export function readCaller(headers: Readonly<Record<string, string | undefined>>): Caller | undefined {
  const shopperId = parseShopperId(headers['x-shopper-id'])
  if (shopperId === undefined) return undefined
  const roles = (headers['x-shopper-roles'] ?? '').split(',').filter((role) => role !== '')
  return { shopperId, roles, requestId: (headers['x-request-id'] ?? '').slice(0, 128) }
}

export function signInRequired(): HttpAnswer {
  return problemAnswer(problem('sign-in-required', 'Sign in and try again.'))
}
