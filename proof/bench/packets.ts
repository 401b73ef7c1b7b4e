/**
 * `npm run bench -- packets`: the time to load a million red packets into Redis and how long single
 * calls block it meanwhile, and what a claim costs Redis compared with the smallest script that
 * could hand out a packet.
 */

import { startRedis } from '../../local/redis/redis-server.ts'
import { openLink } from '../../local/upstash/link.ts'
import { atMost, type Measurement, withStep } from './harness.ts'
import { type ClaimLaneName, claimLaneKeys, claimLanes } from './packets/claim-lanes.ts'
import { timeLoading } from './packets/loading.ts'
import { laneTimes } from './scripts/lane-time.ts'
import { spelled } from './statistics.ts'

const packets = 1_000_000
const mostLoadingMs = 5000
const mostBlockingMs = 10
const mostRatio = 1.5

const rounds = 15
const shoppers = 4000

export async function measurePackets(): Promise<Measurement> {
  const server = await startRedis()
  const link = openLink(server)
  try {
    const loading = await withStep('loading', packets, (onChunk) =>
      timeLoading(server, link, { count: packets, onChunk }),
    )
    const times = await laneTimes(link, claimLanes(shoppers), { rounds, step: 'claims' })
    const of = (name: ClaimLaneName) => times.get(name) ?? Number.NaN
    const ratio = of('claim') / of('minimal')
    const { splitMs, loadMs, calls, medianMs, slowestMs } = loading
    const others = [...times].map(([name, microseconds]) => ({
      what: `${name}, µs per call in Redis`,
      value: microseconds.toFixed(2),
    }))
    return {
      name: `packets (Redis ${server.kind} ${server.version})`,
      lines: [
        atMost('claim.lua ÷ minimal HEXISTS, RPOP, HSET, LPUSH script', ratio, mostRatio, { digits: 2 }),
        atMost(`${spelled(packets)} packets split and loaded, s`, loadMs / 1000, mostLoadingMs / 1000, {
          digits: 2,
        }),
        atMost('longest time one call blocked Redis, ms', slowestMs, mostBlockingMs, { digits: 2 }),
        { what: 'the same, median of all calls, ms', value: medianMs.toFixed(2) },
        { what: 'of the loading, the split alone, s', value: (splitMs / 1000).toFixed(2) },
        { what: 'calls that loaded them', value: String(calls) },
        ...others,
      ],
    }
  } finally {
    // The server may be a shared one: remove everything.
    await link.send([['DEL', ...claimLaneKeys]]).finally(() => link.close())
    await server.stop()
  }
}
