/** A function behind its URL, as the gate's request reaches it and its answer leaves. */
import { functionUrl } from '../../functions/lib/http/function-url.ts'
import type { HttpRequest } from '../../functions/lib/http/request.ts'

export function behindUrl(...[telemetry, answer]: Parameters<typeof functionUrl>) {
  const respond = functionUrl(telemetry, answer)
  return async ({ method, path, headers, body }: HttpRequest) => {
    const answered = await respond({
      ...{ rawPath: path, rawQueryString: '', headers, isBase64Encoded: true },
      body: Buffer.from(body).toString('base64'),
      requestContext: { http: { method } },
    })
    const { statusCode: status, headers: answeredHeaders, body: text } = answered
    return { status, headers: answeredHeaders, text, body: JSON.parse(text) }
  }
}
