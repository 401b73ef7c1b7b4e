/** A function behind its URL, as the gate's request reaches it and its answer leaves. */
import type { LambdaEvent } from 'hono/aws-lambda'
import type { HttpApp } from '../../functions/lib/http/app.ts'
import { functionUrl } from '../../functions/lib/http/function-url.ts'
import type { HttpRequest } from '../../functions/lib/http/request.ts'
import type { FunctionTelemetry } from '../../functions/lib/telemetry.powertools.ts'

/** The event in which Lambda brings the request. Its body is in base64, as of every type that is no text. */
export function urlEventOf({ method, path, query, headers, body, cookies = [] }: HttpRequest): LambdaEvent {
  const domainName = 'function.lambda-url.test'
  return {
    ...{ version: '2.0', routeKey: '$default', rawPath: path, rawQueryString: String(query) },
    ...{ headers, cookies: [...cookies], body: Buffer.from(body).toString('base64'), isBase64Encoded: true },
    requestContext: {
      ...{ accountId: 'anonymous', apiId: 'function', authentication: null, domainName },
      ...{ domainPrefix: 'function', requestId: 'request-1', routeKey: '$default', stage: '$default' },
      ...{ authorizer: {}, time: '20/Nov/2026:12:00:00 +0000', timeEpoch: 0 },
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.9', userAgent: 'test' },
    },
  }
}

export function behindUrl(telemetry: FunctionTelemetry, app: HttpApp) {
  const respond = functionUrl(telemetry, app)
  return async (request: HttpRequest) => {
    const { statusCode: status, headers, body: text } = await respond(urlEventOf(request))
    return { status, headers, text, body: JSON.parse(text) }
  }
}
