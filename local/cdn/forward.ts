/** Forwards admitted requests from the edge function to a function URL, with a signature like CloudFront's. */
import type { CloudFrontHeaders, CloudFrontRequest } from 'aws-lambda'
import type { Dispatcher } from 'undici'
import type { HttpFunction } from '../../system/functions.ts'
import { bodyHashHeader, emptyBodyHash, signatureHeader, signOriginRequest } from '../lambda/signature.ts'
import { type Origin, type OriginAnswer, OriginFailed, type OriginRequest } from '../origin.ts'

/** Sends the request to a function; `body` has the viewer's bytes. Rejects with OriginFailed when there is no answer. */
export type Forward = (request: CloudFrontRequest, name: HttpFunction, body: Buffer) => Promise<OriginAnswer>

export type ForwardOptions = {
  /** Returns the current connection to a function; a fault may redirect it. */
  originOf: (name: HttpFunction) => Origin
  signingSecret: string
}

/** Headers that the connection to the origin sets itself. */
export const framing: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding'])

export function forwarder({ originOf, signingSecret }: ForwardOptions): Forward {
  /** Retries a read after a broken connection, up to three tries; never a write, like CloudFront. */
  async function send(name: HttpFunction, request: OriginRequest, triesLeft = 3): Promise<OriginAnswer> {
    try {
      return await originOf(name).send(request)
    } catch (failure) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const isBroken = failure instanceof OriginFailed && failure.status === 502
      if (isRead && isBroken && triesLeft > 1) return send(name, request, triesLeft - 1)
      throw failure
    }
  }

  return (request, name, viewerBody) => {
    const body = bodyFor(request, viewerBody)
    const path = request.querystring === '' ? request.uri : `${request.uri}?${request.querystring}`
    const hash = request.headers[bodyHashHeader]?.[0]?.value ?? (body.length === 0 ? emptyBodyHash : '')
    const signature = signOriginRequest(signingSecret, request.method, path, hash)
    const headers = originHeaders(request.headers)
    headers.push(signatureHeader, signature)
    const method = request.method as Dispatcher.HttpMethod
    return send(name, { method, path, headers, body: body.length === 0 ? null : body })
  }
}

function bodyFor(request: CloudFrontRequest, original: Buffer): Buffer {
  const body = request.body
  if (body === undefined || body.action === 'read-only') return original
  return Buffer.from(body.data, body.encoding === 'base64' ? 'base64' : 'utf8')
}

function originHeaders(headers: CloudFrontHeaders): string[] {
  const pairs: string[] = []
  for (const name in headers) {
    if (framing.has(name)) continue
    for (const { value } of headers[name] ?? []) pairs.push(name, value)
  }
  return pairs
}
