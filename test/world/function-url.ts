/** A function behind its URL, as the gate's request reaches it and its answer leaves. */
import type { HttpApp } from '../../functions/lib/http/app.ts'
import { functionUrl } from '../../functions/lib/http/function-url.ts'
import type { FunctionTelemetry } from '../../functions/lib/telemetry.powertools.ts'
import { checkExchange } from '../../proof/described-api.ts'
import { type HttpRequest, urlEventOf } from '../../proof/simulation/parts/requests.ts'

export function behindUrl(telemetry: FunctionTelemetry, app: HttpApp) {
  const respond = functionUrl(telemetry, app)
  return async (request: HttpRequest) => {
    const { statusCode: status, headers, cookies, body: text } = await respond(urlEventOf(request))
    const { method, path, body: sent } = request
    checkExchange({ method, path, sent: sent.toString(), status, mediaType: headers['content-type'], answered: text })
    return { status, headers, text, body: JSON.parse(text), ...(cookies && { cookies }) }
  }
}
