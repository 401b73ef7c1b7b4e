/** A request with its answer, as both cross the front. */
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** Names of headers are lower case. */
export type FrontExchange = {
  method: string
  url: string
  sentHeaders: readonly string[]
  sent: string
  status: number
  headers: Readonly<Record<string, string>>
  /** The body as text, without its compression. */
  answered: () => string
}

/** Reports the exchange when its answer has been sent whole. It changes nothing of it. */
export function observeExchange(
  request: IncomingMessage,
  response: ServerResponse,
  report: (exchange: FrontExchange) => void,
): void {
  const sent: Buffer[] = []
  const answered: Buffer[] = []
  let headers: Record<string, string> = {}

  // A listener of its own would let the body flow before its reader listens.
  const { emit } = request
  request.emit = (event: string | symbol, ...given: unknown[]) => {
    if (event === 'data') sent.push(bufferOf(given[0]))
    return Reflect.apply(emit, request, [event, ...given])
  }
  const { writeHead, write, end } = response
  response.writeHead = (...given: unknown[]) => {
    headers = namedHeaders(response.getHeaders(), given.at(-1))
    return Reflect.apply(writeHead, response, given)
  }
  const collecting = (send: typeof write | typeof end) =>
    ((...given: unknown[]) => {
      const [chunk, encoding] = given
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) answered.push(bufferOf(chunk, encoding))
      return Reflect.apply(send, response, given)
    }) as never
  response.write = collecting(write)
  response.end = collecting(end)
  response.once('finish', () =>
    report({
      ...{ method: request.method ?? 'GET', url: request.url ?? '/' },
      ...{ sentHeaders: Object.keys(request.headers), sent: Buffer.concat(sent).toString() },
      ...{ status: response.statusCode, headers },
      answered: () => decompressed(Buffer.concat(answered), headers['content-encoding']),
    }),
  )
}

function bufferOf(chunk: unknown, encoding?: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk, encoding as BufferEncoding)
  return Buffer.from(chunk as Uint8Array)
}

/** `given` is what `writeHead` takes: headers by name, or names and values in turn. */
function namedHeaders(set: OutgoingHttpHeaders, given: unknown): Record<string, string> {
  const pairs: [string, OutgoingHttpHeader | undefined][] = Array.isArray(given)
    ? given.flatMap((name, index) => (index % 2 === 0 ? [[String(name), given[index + 1]] as const] : []))
    : Object.entries(typeof given === 'object' && given !== null ? given : {})
  return Object.fromEntries(
    [...Object.entries(set), ...pairs].map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}

function decompressed(body: Buffer, encoding: string | undefined): string {
  // A 304 names the encoding of the body that it does not have.
  if (body.length === 0) return ''
  if (encoding === 'br') return brotliDecompressSync(body).toString()
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString()
}
