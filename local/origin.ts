/** Keep-alive connections to one HTTP server, with CloudFront's origin timeouts. */
import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors, Pool } from 'undici'

export type OriginAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

export type OriginRequest = {
  method: Dispatcher.HttpMethod
  path: string
  headers: string[]
  body: Buffer | string | null
}

export type Origin = {
  /** Resolves with the origin's answer. Rejects with OriginFailed when there is none. */
  send(request: OriginRequest): Promise<OriginAnswer>
  close(): Promise<void>
}

/**
 * `status` is CloudFront's answer to the viewer: 502 for a broken connection, 504 for a timeout.
 */
export class OriginFailed extends Error {
  override name = 'OriginFailed'
  readonly status: 502 | 504
  constructor(cause: Error) {
    super(`The origin did not answer: ${cause.message}`, { cause })
    this.status = cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError ? 504 : 502
  }
}

/** `url` is the origin's scheme, host and port. */
export function openOrigin(url: string): Origin {
  const pool = new Pool(url, { connections: 64, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 })
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        pool.dispatch(
          { method, path, headers, body },
          new ResponseCollector(resolve, (cause) => reject(new OriginFailed(cause))),
        )
      }),
    close: () => pool.destroy(),
  }
}

const noBytes = Buffer.alloc(0)

class ResponseCollector implements Dispatcher.DispatchHandler {
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #body: Buffer = noBytes
  #resolve: (answer: OriginAnswer) => void
  #reject: (cause: Error) => void

  constructor(resolve: (answer: OriginAnswer) => void, reject: (cause: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(): void {}

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#body = this.#body.length === 0 ? chunk : Buffer.concat([this.#body, chunk])
  }

  onResponseEnd(): void {
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body })
  }

  onResponseError(_: unknown, error: Error): void {
    this.#reject(error)
  }
}
