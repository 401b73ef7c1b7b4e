/**
 * Reads the whole body of a request, which the edge function needs; bytes beyond the limit are
 * dropped.
 */
import type { IncomingMessage } from 'node:http'

const noBytes = Buffer.alloc(0)

/** True when the request says that a body follows. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * The first `limitBytes + 1` bytes, so that the caller can detect a body that is too large. Rejects
 * when the request is cut off.
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
