/**
 * The shell of every HTTP function: event in, answer out, and a problem body for every fault of ours. A
 * fault answers 503, because the shopper can only retry.
 */
import { handle, type LambdaEvent } from 'hono/aws-lambda'
import type { FunctionTelemetry } from '../telemetry.powertools.ts'
import { errorFacts } from '../telemetry.ts'
import { unavailable } from './answer.ts'
import { type HttpApp, responseOf } from './app.ts'

/** A Lambda handler that answers with `app` and logs what it throws. */
export function functionUrl(telemetry: FunctionTelemetry, app: HttpApp) {
  app.onError((error, c) => {
    telemetry.meter.count('Unavailable')
    telemetry.log.error('request failed', {
      method: c.req.method,
      path: new URL(c.req.url).pathname,
      requestId: c.req.header('x-request-id'),
      ...errorFacts(error),
    })
    return responseOf(unavailable(Math.random))
  })
  const answer = handle(app)
  return (event: LambdaEvent) => telemetry.during(() => answer(event))
}
