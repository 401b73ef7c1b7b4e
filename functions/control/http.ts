/** `/api/control`, but for the calls that show personal data. */
import type { HttpAnswer } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { enterControl } from './entrance.ts'
import { type ControlRoutePorts, route } from './routes.ts'

/**
 * Answers one request.
 * @throws what the ports throw
 */
export async function answerControl(ports: ControlRoutePorts, request: HttpRequest): Promise<HttpAnswer> {
  return enterControl(route, ports, request, ports.blocklist)
}
