/**
 * `npm run bench -- packets`: the time to load a million red packets into Redis and how long single
 * calls block it meanwhile, and what a claim costs Redis compared with the smallest script that
 * could hand out a packet.
 */

import { startStep } from '../../cli/progress.ts'
import { startRedis } from '../../local/redis-server.ts'
import { openLink } from '../../local/upstash/link.ts'
import type { Measurement } from './measurement.ts'
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
    const loadingStep = startStep('loading', packets)
    const loading = await timeLoading(server, link, { count: packets, onChunk: loadingStep.to })
    loadingStep.end()
    const claimStep = startStep('claims', rounds)
    const times = await laneTimes(link, claimLanes(shoppers), { rounds, onRound: claimStep.to })
    claimStep.end()
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
        {
          what: 'claim.lua ÷ minimal HEXISTS, RPOP, HSET, LPUSH script',
          value: ratio.toFixed(2),
          target: `≤ ${mostRatio}`,
          met: ratio <= mostRatio,
        },
        {
          what: `${spelled(packets)} packets split and loaded, s`,
          value: (loadMs / 1000).toFixed(2),
          target: `≤ ${mostLoadingMs / 1000}`,
          met: loadMs <= mostLoadingMs,
        },
        {
          what: 'longest time one call blocked Redis, ms',
          value: slowestMs.toFixed(2),
          target: `≤ ${mostBlockingMs}`,
          met: slowestMs <= mostBlockingMs,
        },
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
