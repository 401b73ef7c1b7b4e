/**
 * Wraps every HTTP function: turns an event into a request, adds the time to the answer, and answers every fault of ours
 * with a problem. A fault answers 503, because the shopper can only retry.
 */
import { clockHeader } from '../../../core/gate/cors.ts'
import type { FunctionTelemetry } from '../telemetry.powertools.ts'
import { errorFacts } from '../telemetry.ts'
import { type HttpAnswer, unavailable } from './answer.ts'
import type { HttpApp } from './app.ts'
import { answerIn, type FunctionUrlEvent, requestIn } from './stand-ins.ts'

/** Returns a Lambda handler that answers with `app` and logs its errors. */
export function functionUrl(
  telemetry: FunctionTelemetry,
  app: HttpApp,
): (event: FunctionUrlEvent) => Promise<HttpAnswer> {
  return (event) =>
    telemetry.during(async () => {
      try {
        return withTime(await answerEvent(app, event))
      } catch (error) {
        telemetry.meter.count('Unavailable')
        telemetry.log.error('request failed', {
          method: event.requestContext.http.method,
          path: event.rawPath,
          requestId: event.headers['x-request-id'],
          ...errorFacts(error),
        })
        return unavailable()
      }
    })
}

/** Answers the event with `app`. @throws what its ports throw */
export async function answerEvent(app: HttpApp, event: FunctionUrlEvent): Promise<HttpAnswer> {
  return answerIn(await app.fetch(requestIn(event)))
}

/** Adds the time, except to problems: two problems for different reasons must not differ. */
function withTime(answer: HttpAnswer): HttpAnswer {
  if (answer.statusCode >= 400) return answer
  return { ...answer, headers: { ...answer.headers, [clockHeader]: String(Date.now()) } }
}
