/**
 * Programs that run in processes of their own, so that they take no processor time from what is measured: autocannon,
 * and a bare server as the baseline of a rate.
 */
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { parse } from '../../../core/lib/parse.ts'

/**
 * Runs autocannon in a process of its own, so that the load generator takes no processor time from
 * the server.
 */
type LoadOptions = { url: string; headers: Record<string, string>; body: string; connections: number; seconds: number }

/** `answersPerSecond` over the round, latency in ms, and the number of answers by status. */
type LoadResult = { answersPerSecond: number; p50Ms: number; p99Ms: number; statuses: Record<string, number> }

const result = z.object({
  requests: z.object({ total: z.number() }),
  duration: z.number(),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  errors: z.number(),
  statusCodeStats: z.record(z.string(), z.object({ count: z.number() })),
})

const program = createRequire(import.meta.url).resolve('autocannon')
const run = promisify(execFile)

/**
 * Posts `body` to `url` over `connections` keep-alive connections.
 * @throws when a request got no answer
 */
export async function runLoad({ url, headers, body, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const args = ['--json', '-m', 'POST', '-c', String(connections), '-d', String(seconds), '-b', body]
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}=${value}`)
  const { stdout } = await run(process.execPath, [program, ...args, url], { maxBuffer: 10_000_000 })
  const parsed = parse(result, JSON.parse(stdout))
  if (!parsed.ok) throw new Error(`unexpected output of autocannon: ${parsed.detail}`)
  const { requests, duration, latency, errors, statusCodeStats } = parsed.value
  if (errors > 0) throw new Error(`${errors} requests got no answer`)
  return {
    answersPerSecond: requests.total / duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    statuses: Object.fromEntries(Object.entries(statusCodeStats).map(([code, { count }]) => [code, count])),
  }
}

/** The fixed bytes that it answers. */
type BareAnswer = { status: number; headers: Record<string, string>; body: string }

export async function startBareServer(answer: BareAnswer): Promise<{ url: string; stop(): Promise<void> }> {
  const server = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)))
  server.send(answer)
  const [port] = await once(server, 'message')
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      server.disconnect()
      await once(server, 'exit')
    },
  }
}
