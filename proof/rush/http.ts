/** The HTTP client of all shoppers: one keep-alive pool, so that handshakes are not measured. */
import { Pool } from 'undici'
import { type ShopperSession, sessionHeaders } from '../../cli/pass.ts'

/**
 * `atGate`: pre-gate or gate answered by itself, without calling a function. `isCounted`: the request
 * reached the gate, which counts the demand of a sale.
 */
export type HttpReply = {
  status: number
  retryAfterSeconds: number | undefined
  atGate: boolean
  isCounted: boolean
  body: unknown
}

/** `reply` is undefined when none arrived: it is unknown then whether the request was executed. */
export type HttpResult = { ms: number; reply: HttpReply | undefined }

export type HttpClient = {
  /** `key` is the idempotency key, where the request needs one. */
  post(path: string, session: ShopperSession, body: unknown, key?: string): Promise<HttpResult>
  get(path: string, token?: string): Promise<HttpResult>
  close(): Promise<void>
}

type Request = Parameters<Pool['request']>[0]

const timeoutMs = 10_000

/**
 * Sends `connections` requests to `url` at a time; `ms` does not include the wait for a connection.
 */
export function openHttpClient(url: string, connections: number): HttpClient {
  const pool = new Pool(url, {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const origin = new URL(url).origin
  const semaphore = openSemaphore(connections)

  const request = async (options: Request): Promise<HttpResult> => {
    await semaphore.acquire()
    const from = performance.now()
    const reply = await send(options)
    semaphore.release()
    return { ms: performance.now() - from, reply }
  }

  const send = async (options: Request): Promise<HttpReply | undefined> => {
    try {
      const { statusCode, headers, body } = await pool.request(options)
      const text = await body.text()
      const after = Number(headers['retry-after'])
      const isJson = String(headers['content-type']).includes('json')
      return {
        status: statusCode,
        retryAfterSeconds: Number.isFinite(after) ? after : undefined,
        atGate: 'x-sluice-gate' in headers,
        isCounted: !String(headers['x-cache']).startsWith('FunctionGenerated'),
        body: isJson ? JSON.parse(text) : text,
      }
    } catch (error) {
      if (isConnectionError(error)) return undefined
      throw error
    }
  }

  return {
    post: (path, session, body, key) =>
      request({
        method: 'POST',
        path,
        headers: {
          ...sessionHeaders(session),
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          origin,
        },
        body: JSON.stringify(body),
      }),
    get: (path, token) =>
      request({
        method: 'GET',
        path,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      }),
    close: () => pool.close(),
  }
}

/** A member of a parsed body of any type. */
export function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}

export function textMember(body: unknown, name: string): string | undefined {
  const value = memberOf(body, name)
  return typeof value === 'string' ? value : undefined
}

export function numberMember(body: unknown, name: string): number | undefined {
  const value = memberOf(body, name)
  return typeof value === 'number' ? value : undefined
}

function isConnectionError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^UND_ERR_|^ECONN|^EPIPE/.test(code)
}

/** A semaphore with `permits`, first come, first served. */
function openSemaphore(permits: number): { acquire(): Promise<void>; release(): void } {
  const queue: (() => void)[] = []
  let served = 0
  let free = permits
  return {
    async acquire() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => queue.push(resolve))
    },
    release() {
      const next = queue[served]
      if (next === undefined) free += 1
      else {
        served += 1
        next()
      }
    },
  }
}
