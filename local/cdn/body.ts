/** Reads request bodies, and sends answers as CloudFront does. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const noBytes = Buffer.alloc(0)

/** True when the request says that a body follows. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the first `limitBytes + 1` bytes, so that the caller can detect a body that is too large. Rejects when the
 * request is aborted.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let first: Buffer = noBytes
    const rest: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      if (size <= limitBytes) {
        if (size === 0) first = chunk
        else rest.push(chunk)
      }
      size += chunk.length
    })
    request.on('error', reject)
    request.on('end', () => {
      const body = rest.length === 0 ? first : Buffer.concat([first, ...rest])
      resolve(body.length > limitBytes ? body.subarray(0, limitBytes + 1) : body)
    })
  })
}

/** Above this size, copying a body costs more than a second write. */
const onePieceBytes = 16 * 1024

/**
 * Sends an answer; `pairs` are names and values of headers, and `body` is bytes or a text in latin1. Answers of one
 * turn of the event loop are written together: the first write wakes a sleeping client process, which takes the kernel
 * longer than the write itself, and the others find it awake.
 * @throws for headers that Node refuses
 */
export function sendAnswer(
  response: ServerResponse,
  status: number,
  pairs: string[],
  body: Buffer | string = '',
): void {
  response.writeHead(status, pairs)
  // Node sends a text in one piece with the headers.
  const sent = typeof body === 'string' || body.length > onePieceBytes ? body : body.toString('latin1')
  setImmediate(() => response.end(sent, 'latin1'))
}
