/**
 * One function URL with auth type AWS_IAM: an HTTP server in front of one handler, with the Lambda
 * rules that a caller can run into (signed requests only, 6 MB, concurrency, timeouts).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Listening, listen } from '../listen.ts'
import { invoke, type LoadedFunction } from './invoke.ts'
import { bodyHashHeader, emptyBodyHash, isSignedByUs, signatureHeader } from './signature.ts'
import { urlEvent } from './url-event.ts'
import { payloadLimitBytes, urlResponse } from './url-response.ts'

export type FunctionUrlOptions = {
  /** The secret shared with the front: requests not signed with it are rejected with 403. */
  signingSecret: string
  /** The function's reserved concurrency: the next call beyond it gets 429. */
  concurrency: number
  /** 0, the default, takes a free port. */
  port?: number
}

/**
 * Starts the function's URL on a loopback port. Failures of the handler are reported to
 * `report`.
 */
export async function startFunctionUrl(
  fn: LoadedFunction,
  options: FunctionUrlOptions,
  report: (failure: unknown) => void,
): Promise<Listening> {
  let running = 0
  let requests = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    if (body === undefined) return reply(response, 413, 'Request Entity Too Large')
    if (!isSigned(request, body, options.signingSecret)) return reply(response, 403, 'Forbidden')
    if (running >= options.concurrency) return reply(response, 429, 'Rate Exceeded.')
    running += 1
    requests += 1
    try {
      const event = urlEvent(request, body, `${fn.name}.lambda-url.local`, `${fn.name}-${requests}`)
      const result = urlResponse(await invoke(fn, event))
      if (result === undefined) throw new Error(`${fn.name} returned an invalid HTTP response`)
      response.writeHead(result.status, [...result.headers, 'content-length', String(result.bytes)])
      response.end(result.body)
    } catch (failure) {
      report(failure)
      reply(response, 502, 'Internal Server Error')
    } finally {
      running -= 1
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      report(failure)
      response.destroy()
    })
  })
  // The front keeps its connections open; only the front decides when one has been idle for too
  // long.
  server.keepAliveTimeout = 0
  return listen(server, options.port ?? 0)
}

function reply(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': 'local' })
  response.end(JSON.stringify({ Message: message }))
}

function isSigned(request: IncomingMessage, body: Buffer, secret: string): boolean {
  const method = request.method ?? ''
  // SigV4 allows a missing hash only where there is no body.
  const unsignedBody = method === 'GET' || method === 'HEAD' ? emptyBodyHash : ''
  return isSignedByUs(secret, {
    method,
    path: request.url ?? '',
    bodyHash: String(request.headers[bodyHashHeader] ?? unsignedBody),
    signature: String(request.headers[signatureHeader] ?? ''),
    body,
  })
}

const noBytes = Buffer.alloc(0)

/**
 * The request's body, or undefined when it exceeds Lambda's limit (the rest is read and dropped).
 */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= payloadLimitBytes) chunks.push(chunk)
    })
    request.on('error', reject)
    request.on('end', () => {
      if (size > payloadLimitBytes) resolve(undefined)
      else resolve(chunks.length === 0 ? noBytes : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
  })
}
