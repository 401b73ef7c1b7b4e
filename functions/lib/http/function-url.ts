/**
 * The shell of every HTTP function: event in, answer out with the time, and a problem body for
 * every fault of ours. A fault answers 503, because the shopper can only retry.
 */
import { clockHeader } from '../../../core/gate/clock-header.ts'
import type { FunctionTelemetry } from '../telemetry.powertools.ts'
import { errorFacts } from '../telemetry.ts'
import { type HttpAnswer, unavailable } from './answer.ts'
import { type FunctionUrlEvent, type HttpRequest, readRequest } from './request.ts'

/** A problem has no time: two of them for different reasons must not differ. */
function withTime(answer: HttpAnswer): HttpAnswer {
  if (answer.statusCode >= 400) return answer
  return { ...answer, headers: { ...answer.headers, [clockHeader]: String(Date.now()) } }
}

/** A Lambda handler that answers with `respond` and logs what it throws. */
export function functionUrl(
  telemetry: FunctionTelemetry,
  respond: (request: HttpRequest) => Promise<HttpAnswer>,
): (event: FunctionUrlEvent) => Promise<HttpAnswer> {
  return (event) =>
    telemetry.during(async () => {
      const request = readRequest(event)
      try {
        return withTime(await respond(request))
      } catch (error) {
        telemetry.meter.count('Unavailable')
        telemetry.log.error('request failed', {
          method: request.method,
          path: request.path,
          requestId: request.headers['x-request-id'],
          ...errorFacts(error),
        })
        return unavailable(Math.random)
      }
    })
}
