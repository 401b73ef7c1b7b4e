/**
 * Who may enter `/api/control`, and in which form: only with a role of ours, JSON only, nothing
 * oversized. Which role a call needs is decided once its route is known.
 */

import { maxControlBodyBytes } from '../../core/body-limits.ts'
import { problem } from '../../core/outcome.ts'
import { roles, rolesAmong } from '../../core/roles.ts'
import { type HttpAnswer, problemAnswer } from '../lib/http/answer.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import { type HttpRequest, isJson } from '../lib/http/request.ts'
import { roleRequired } from './answers.ts'
import { type ControlRoutePorts, route } from './routes.ts'

/**
 * Answers one request.
 * @throws what the ports throw
 */
export async function answerControl(ports: ControlRoutePorts, request: HttpRequest): Promise<HttpAnswer> {
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  const held = rolesAmong(caller.roles)
  if (held.length === 0) return roleRequired(roles)
  if (Buffer.byteLength(request.body) > maxControlBodyBytes) {
    return problemAnswer(problem('too-large', `A request here has at most ${maxControlBodyBytes} bytes.`))
  }
  if (request.body !== '' && !isJson(request.headers['content-type'])) {
    return problemAnswer(problem('unsupported-media-type', 'Send application/json.'))
  }
  return route(request, { ports, request, held, who: caller.shopperId, requestId: caller.requestId })
}
