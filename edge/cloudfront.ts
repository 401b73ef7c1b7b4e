/**
 * The events of CloudFront's origin-request functions, as far as the gate uses them. Header names
 * in the map are lower case; each has one entry per time that the client sent the header.
 */

export type EdgeHeaders = Record<string, { key: string; value: string }[]>

export type EdgeBody = { inputTruncated: boolean; action: string; encoding: string; data: string }

export type EdgeRequest = {
  clientIp: string
  headers: EdgeHeaders
  method: string
  querystring: string
  uri: string
  body?: EdgeBody
  origin?: { custom: EdgeOrigin; s3?: never }
}

type EdgeOrigin = {
  customHeaders: EdgeHeaders
  domainName: string
  keepaliveTimeout: number
  path: string
  port: number
  protocol: string
  readTimeout: number
  sslProtocols: string[]
}

type EdgeConfig = { distributionDomainName: string; distributionId: string; eventType: string; requestId: string }

export type EdgeEvent = { Records: { cf: { config: EdgeConfig; request: EdgeRequest } }[] }

/** A generated response. Prebuilt ones are frozen and shared by all requests. */
export type EdgeResponse = {
  readonly status: string
  readonly headers: Readonly<EdgeHeaders>
  readonly body: string
  readonly bodyEncoding: 'text'
}

/** A header that must have one value. Repeated ones are refused: the next reader might take the other value. */
export type HeaderValue = { kind: 'absent' } | { kind: 'one'; value: string } | { kind: 'repeated' }

const absent: HeaderValue = { kind: 'absent' }
const repeated: HeaderValue = { kind: 'repeated' }

export function headerOf(headers: EdgeHeaders, name: string): HeaderValue {
  const entries = headers[name]
  const first = entries?.[0]
  if (entries === undefined || first === undefined) return absent
  return entries.length === 1 ? { kind: 'one', value: first.value } : repeated
}

/** The values of a cookie. HTTP/2 lets a browser split its cookies over several headers. */
export function cookiesIn(headers: EdgeHeaders, name: string): string[] {
  return cookiePairs(headers, [`${name}=`]).map((pair) => pair.slice(name.length + 1))
}

/** The cookies, each with its name, that begin with one of `starts`. Only spaces and tabs are around a cookie (RFC 6265, 5.2): any other space is part of its name. */
export function cookiePairs(headers: EdgeHeaders, starts: readonly string[]): string[] {
  return (headers.cookie ?? [])
    .flatMap(({ value }) => value.split(';'))
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => starts.some((start) => pair.startsWith(start)))
}

/** The size of the body in bytes, from its encoded length; a `content-length` header may be wrong. */
export function bodyByteLength(body: EdgeBody | undefined): number {
  if (body === undefined) return 0
  const { data, encoding } = body
  return Buffer.byteLength(data, encoding === 'base64' ? 'base64' : 'utf8')
}

/** The exact bytes that the client sent; the origin's signature covers them. */
export function bodyBytes(body: EdgeBody | undefined): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.from(body.data, body.encoding === 'base64' ? 'base64' : 'utf8')
}
