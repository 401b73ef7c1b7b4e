/** A Redis and the REST proxy in front of it, for tests through the real SDK. */
import { Redis, type RedisConfigNodejs } from '@upstash/redis'
import { afterAll } from 'vitest'
import { type RunningRedis, startRedis } from '../../local/redis/redis-server.ts'
import type { Token } from '../../local/upstash/access.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'

export type TestRedis = {
  redis: RunningRedis
  proxy: Awaited<ReturnType<typeof startUpstashProxy>>
  /** An SDK client with one try per call, so that each call is one request. */
  client(token?: string, more?: Partial<RedisConfigNodejs>): Redis
  /** A request as curl would send it. */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown; headers: Headers }>
  stop(): Promise<void>
}

type Options = { strict?: boolean; tokens?: Token[] }

/** For all tests of a file or of one of its groups. */
export async function openTestRedis(options?: Options): Promise<TestRedis> {
  const parts = await startTestRedis(options)
  afterAll(() => parts.stop())
  return parts
}

export async function startTestRedis(options: Options = {}): Promise<TestRedis> {
  const redis = await startRedis()
  const proxy = await startUpstashProxy({
    redisPort: redis.port,
    tokens: options.tokens ?? [{ token: 'secret' }],
    strict: options.strict ?? true,
  })
  return {
    redis,
    proxy,
    client: (token = 'secret', more = {}) =>
      new Redis({
        url: proxy.url,
        token,
        retry: { retries: 0 },
        enableTelemetry: false,
        enableAutoPipelining: false,
        ...more,
      }),
    async post(path, body, headers = { authorization: 'Bearer secret' }) {
      const response = await fetch(`${proxy.url}${path}`, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      return { status: response.status, body: await response.json(), headers: response.headers }
    },
    async stop() {
      await proxy.stop()
      await redis.stop()
    },
  }
}
