/** The crowd's way in: one keep-alive pool, so that the measurement is the system's and not the handshakes'. */
import { Pool } from 'undici'

/** `atGate`: the gate answered by itself, so that nobody behind it heard of the request. */
export type Reply = {
  status: number
  retryAfterSeconds: number | undefined
  atGate: boolean
  body: unknown
}

/** `reply` is undefined when none came: nobody knows then whether the request was carried out. */
export type Answer = { ms: number; reply: Reply | undefined }

export type Line = {
  /** `key` is the idempotency key, where the request needs one. */
  post(path: string, token: string, body: unknown, key?: string): Promise<Answer>
  get(path: string, token?: string): Promise<Answer>
  close(): Promise<void>
}

type Request = Parameters<Pool['request']>[0]

const timeoutMs = 10_000

/** `connections` requests to `url` at a time; `ms` counts from a request's turn, not from its place in line. */
export function openLine(url: string, connections: number): Line {
  const pool = new Pool(url, {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const origin = new URL(url).origin
  const turnstile = openTurnstile(connections)

  const ask = async (options: Request): Promise<Answer> => {
    await turnstile.enter()
    const from = performance.now()
    const reply = await send(options)
    turnstile.leave()
    return { ms: performance.now() - from, reply }
  }

  const send = async (options: Request): Promise<Reply | undefined> => {
    try {
      const { statusCode, headers, body } = await pool.request(options)
      const text = await body.text()
      const after = Number(headers['retry-after'])
      const isJson = String(headers['content-type']).includes('json')
      return {
        status: statusCode,
        retryAfterSeconds: Number.isFinite(after) ? after : undefined,
        atGate: 'x-sluice-gate' in headers,
        body: isJson ? JSON.parse(text) : text,
      }
    } catch (error) {
      if (isBrokenLine(error)) return undefined
      throw error
    }
  }

  return {
    post: (path, token, body, key) =>
      ask({
        method: 'POST',
        path,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          origin,
        },
        body: JSON.stringify(body),
      }),
    get: (path, token) =>
      ask({ method: 'GET', path, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }),
    close: () => pool.close(),
  }
}

/** A member of a parsed body, whatever that is. */
export function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}

export function textOf(body: unknown, name: string): string | undefined {
  const value = memberOf(body, name)
  return typeof value === 'string' ? value : undefined
}

export function numberOf(body: unknown, name: string): number | undefined {
  const value = memberOf(body, name)
  return typeof value === 'number' ? value : undefined
}

function isBrokenLine(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^UND_ERR_|^ECONN|^EPIPE/.test(code)
}

/** Lets `places` callers in at a time, in the order they came. */
function openTurnstile(places: number): { enter(): Promise<void>; leave(): void } {
  const line: (() => void)[] = []
  let served = 0
  let free = places
  return {
    async enter() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => line.push(resolve))
    },
    leave() {
      const next = line[served]
      if (next === undefined) free += 1
      else {
        served += 1
        next()
      }
    },
  }
}
