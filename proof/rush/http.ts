/** The HTTP client of all shoppers: one keep-alive pool, so that TCP handshakes are not measured. */
import { Pool } from 'undici'
import { type ShopperSession, sessionHeaders } from '../../cli/control-client.ts'
import type { Fetch, FetchResponse } from '../../client/http.ts'

/**
 * `atGate`: the pre-gate or the gate answered, and called no function. `isCounted`: the request reached the gate, which
 * counts the demand of a sale. `cookies` are those that the answer sets, as the next request sends them.
 */
export type HttpReply = {
  status: number
  retryAfterSeconds: number | undefined
  atGate: boolean
  isCounted: boolean
  cookies?: string
  body: unknown
}

type Received = { reply: HttpReply; answer: FetchResponse }

/** `reply` is undefined when none arrived; then it is unknown whether the request was executed. */
export type HttpResult = { ms: number; reply: HttpReply | undefined }

export type HttpClient = ReturnType<typeof openHttpClient>

type Request = Parameters<Pool['request']>[0]

const timeoutMs = 10_000

/** Sends up to `connections` requests to `url` at a time; `ms` does not include the wait for a connection. */
export function openHttpClient(url: string, connections: number) {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const origin = new URL(url).origin
  const semaphore = openSemaphore(connections)

  const request = async (options: Request): Promise<HttpResult & { answer: FetchResponse | undefined }> => {
    await semaphore.acquire()
    const from = performance.now()
    const received = await send(options)
    semaphore.release()
    return { ms: performance.now() - from, reply: received?.reply, answer: received?.answer }
  }

  const send = async (options: Request): Promise<Received | undefined> => {
    try {
      const { statusCode: status, headers, body } = await pool.request(options)
      const text = await body.text()
      const after = Number(headers['retry-after'])
      const isJson = String(headers['content-type']).includes('json')
      const get = (name: string) => headers[name]?.toString() ?? null
      return {
        reply: {
          status,
          retryAfterSeconds: Number.isFinite(after) ? after : undefined,
          atGate: 'x-sluice-gate' in headers,
          cookies: [headers['set-cookie'] ?? []]
            .flat()
            .map((one) => one.split(';')[0])
            .join('; '),
          isCounted: !String(headers['x-cache']).startsWith('FunctionGenerated'),
          body: isJson ? JSON.parse(text) : text,
        },
        answer: {
          ...{ ok: status >= 200 && status < 300, status, text: async () => text },
          headers: { get, has: (name) => get(name) !== null },
        },
      }
    } catch (error) {
      if (isConnectionError(error)) return undefined
      throw error
    }
  }

  return {
    /** `key` is the idempotency key, when the request needs one. */
    post: (path: string, session: ShopperSession, body: unknown, key?: string): Promise<HttpResult> =>
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
    get: (path: string, token?: string): Promise<HttpResult> =>
      request({
        method: 'GET',
        path,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      }),
    origin,
    /**
     * Returns a `fetch` over these connections for the published client; `onChange` receives the result of each request
     * other than a read.
     */
    fetch(onChange: (result: HttpResult) => void, cookies?: string): Fetch {
      // No signal: the pool has its own timeouts, and the wait for a connection does not count.
      return async (input, init) => {
        const path = input.slice(origin.length)
        const method = init?.method === 'POST' || init?.method === 'PUT' ? init.method : 'GET'
        const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...(cookies && { cookie: cookies }) }
        const isChange = method !== 'GET'
        const sent = isChange ? { headers: { ...headers, origin }, body: String(init?.body) } : { headers }
        const result = await request({ method, path, ...sent })
        if (isChange) onChange(result)
        if (result.answer === undefined) throw new TypeError(`no answer to ${path}`)
        return result.answer
      }
    },
    close: (): Promise<void> => pool.close(),
  }
}

/** Returns a member of a parsed body. */
export function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}

export function textMember(body: unknown, name: string): string | undefined {
  const value = memberOf(body, name)
  return typeof value === 'string' ? value : undefined
}

function isConnectionError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^UND_ERR_|^ECONN|^EPIPE/.test(code)
}

/** Returns a fair semaphore with `permits`. */
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
