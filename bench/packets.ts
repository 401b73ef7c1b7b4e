/**
 * `npm run bench -- packets`: how long a million red packets take from the marketer's wish to the shelf and how long Redis
 * serves nobody else meanwhile, and what a claim costs Redis beside the least that could hand out a packet.
 */

import { startStep } from '../cli/progress.ts'
import { startRedis } from '../local/redis-server.ts'
import { openLink } from '../local/upstash/link.ts'
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
          what: 'longest that one call kept Redis from others, ms',
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
    // The server may be one that was already running: nothing stays behind in it.
    await link.send([['DEL', ...claimLaneKeys]]).finally(() => link.close())
    await server.stop()
  }
}
