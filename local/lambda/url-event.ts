/** Converts an HTTP request into the event of a function URL (payload format 2.0). */
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

const textTypes = /^(?:text\/|application\/(?:json|javascript|xml|[a-z.+-]*\+json))/

/**
 * `domain` is the function URL's host name; the body is text for text types and base64 for the
 * rest.
 */
export function urlEvent(
  request: IncomingMessage,
  body: Buffer,
  domain: string,
  requestId: string,
): APIGatewayProxyEventV2 {
  const method = request.method ?? 'GET'
  const url = request.url ?? '/'
  const question = url.indexOf('?')
  const rawPath = question < 0 ? url : url.slice(0, question)
  const rawQueryString = question < 0 ? '' : url.slice(question + 1)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'cookie') headers[name] = Array.isArray(value) ? value.join(',') : value
  }
  const cookies = request.headers.cookie?.split('; ')
  const isText = textTypes.test(headers['content-type'] ?? '')
  const now = Date.now()
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    ...(cookies && { cookies }),
    ...(rawQueryString !== '' && { queryStringParameters: queryOf(rawQueryString) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: domain,
      domainName: domain,
      domainPrefix: domain,
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: new Date(now).toISOString(),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

function queryOf(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query[name] = name in query ? `${query[name]},${value}` : value
  }
  return query
}
