/** A function behind its URL, as the gate's request reaches it and its answer leaves. */
import type { HttpApp } from '../../functions/lib/http/app.ts'
import { functionUrl } from '../../functions/lib/http/function-url.ts'
import type { FunctionTelemetry } from '../../functions/lib/telemetry.powertools.ts'
import { type HttpRequest, urlEventOf } from '../../proof/simulation/parts/requests.ts'

export function behindUrl(telemetry: FunctionTelemetry, app: HttpApp) {
  const respond = functionUrl(telemetry, app)
  return async (request: HttpRequest) => {
    const { statusCode: status, headers, body: text } = await respond(urlEventOf(request))
    return { status, headers, text, body: JSON.parse(text) }
  }
}
