/**
 * The load of the path measurement, in a process of its own: every shopper sends one buy request,
 * as fast as the connections allow, and a sample of them then polls the order until it is written.
 * Settings and result go over the channel to the parent.
 */
import * as z from 'zod/mini'
import { memberOf, openHttpClient } from '../../rush/http.ts'
import { watchOrders } from '../../rush/watch.ts'
import { percentiles } from '../statistics.ts'

const crowdSettings = z.object({
  url: z.string(),
  saleId: z.string(),
  startToken: z.string(),
  sessions: z.array(z.object({ token: z.string(), pass: z.union([z.string(), z.undefined()]) })),
  connections: z.number(),
  sampleEvery: z.number(),
  patienceMs: z.number(),
})

const latency = z.object({ p50Ms: z.number(), p99Ms: z.number() })

/**
 * `seconds` from the first request to the last 202; `refused` counts every other answer by its
 * status.
 */
export const crowdResult = z.object({
  accepted: z.number(),
  refused: z.record(z.string(), z.number()),
  seconds: z.number(),
  answer: latency,
  readable: z.extend(latency, { sampled: z.number() }),
  unseen: z.number(),
})

export type CrowdSettings = z.infer<typeof crowdSettings>
export type CrowdResult = z.infer<typeof crowdResult>

async function play(settings: CrowdSettings): Promise<CrowdResult> {
  const { url, saleId, startToken, sessions, connections, sampleEvery, patienceMs } = settings
  const buys = openHttpClient(url, connections)
  const reads = openHttpClient(url, 4)
  const watch = watchOrders(reads, sampleEvery, patienceMs)
  const refused: Record<string, number> = {}
  const answerMs: number[] = []
  const body = { quantity: 1, startToken }
  const path = `/api/sales/${saleId}/orders`
  const from = performance.now()
  let lastAccepted = from
  await Promise.all(
    sessions.map(async (session) => {
      const { ms, reply } = await buys.post(path, session, body, 'path')
      if (reply?.status !== 202) {
        const status = String(reply?.status ?? 'no answer')
        refused[status] = (refused[status] ?? 0) + 1
        return
      }
      answerMs.push(ms)
      lastAccepted = performance.now()
      watch.won(orderIdOf(reply.body), session.token)
    }),
  )
  const seen = await watch.finish()
  await Promise.all([buys.close(), reads.close()])
  return {
    accepted: answerMs.length,
    refused,
    seconds: (lastAccepted - from) / 1000,
    answer: percentiles(answerMs),
    readable: { ...percentiles(seen.delaysMs), sampled: seen.delaysMs.length },
    unseen: seen.unseen.length,
  }
}

function orderIdOf(body: unknown): string {
  const orderId = memberOf(body, 'orderId')
  return typeof orderId === 'string' ? orderId : ''
}

process.once('disconnect', () => process.exit(0))
process.on('message', async (message) => {
  process.send?.(await play(crowdSettings.parse(message)))
})
