/**
 * Who may enter `/api/control`, and in which form: marketers only, JSON only, nothing oversized.
 */

import { maxControlBodyBytes } from '../../core/body-limits.ts'
import { problem } from '../../core/outcome.ts'
import { type HttpAnswer, problemAnswer } from '../lib/http/answer.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import { type HttpRequest, isJson } from '../lib/http/request.ts'
import { type ControlRoutePorts, route } from './routes.ts'

/**
 * Answers one request.
 * @throws what the ports throw
 */
export async function answerControl(ports: ControlRoutePorts, request: HttpRequest): Promise<HttpAnswer> {
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  if (!caller.roles.includes('marketer')) {
    return problemAnswer(problem('role-required', 'Only marketers can do this.'))
  }
  if (Buffer.byteLength(request.body) > maxControlBodyBytes) {
    return problemAnswer(problem('too-large', `A request here has at most ${maxControlBodyBytes} bytes.`))
  }
  if (request.body !== '' && !isJson(request.headers['content-type'])) {
    return problemAnswer(problem('unsupported-media-type', 'Send application/json.'))
  }
  const actor = { who: caller.shopperId, requestId: caller.requestId }
  return route(request, { ports, request, actor })
}
