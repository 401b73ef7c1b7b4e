/** The report of a rush for goods or coupons: units sold, answer times and the load. */
import { counted } from '../../core/lib/text.ts'
import type { Percentiles } from '../bench/statistics.ts'
import type { Load } from './load.ts'
import type { LostDatabase } from './lost-database.ts'
import type { ModeFacts } from './mode-facts.ts'
import { type Fact, fullReport, loadFacts, percentilesText, shownFact } from './report-lines.ts'
import type { CrowdFacts, Shown } from './run-round.ts'
import type { CouponVerdict, VariantCount, VariantVerdict, Verdict } from './verdict.ts'

export type Result = CrowdFacts & {
  saleId: string
  seed: number
  shoppers: number
  stock: number
  quantity: number
  verdict: Verdict | CouponVerdict | VariantVerdict
  /** From the reservation to the written order, for every order. */
  written: Percentiles | undefined
  /** From the 202 to the order's own page, for a sample of winners. */
  readable: Shown
  load: Load
  lostDatabase: LostDatabase | undefined
  /** Present in a rush with `--mode`. */
  mode?: ModeFacts
}

export function rushReport(result: Result): string {
  const { verdict, load, written, readable, lostDatabase } = result
  const codes: Fact[] = 'coupons' in verdict ? [['coupons', counted(verdict.coupons, 'code')]] : []
  return fullReport(result, [
    ['sold', `${verdict.sold} of ${result.stock === -1 ? 'unlimited' : result.stock} (expected ${verdict.expected})`],
    ...codes,
    ...('variants' in verdict ? verdict.variants.map(variantFact) : []),
    ['oversold', String(verdict.oversold)],
    ['lost', String(verdict.lost)],
    ['stranded', String(verdict.stranded)],
    ['gave up', String(result.gaveUp)],
    ['requests', `${Math.round(result.requestsPerSecond)}/s for ${result.seconds.toFixed(1)} s`],
    ['order written', written === undefined ? '-' : `${percentilesText(written)} after its reservation`],
    ['order readable', shownFact(readable, '202')],
    ...(lostDatabase === undefined ? [] : [lossFact(lostDatabase)]),
    ...loadFacts(load, 'request'),
  ])
}

function variantFact({ id, stock, sold, oversold, wanted }: VariantCount): Fact {
  return [`of which ${id}`, `${sold} of ${stock} (${wanted} wanted at first, ${oversold} oversold)`]
}

function lossFact({ movedShards, heldBack, seconds }: LostDatabase): Fact {
  const moves = movedShards.map(({ shard, from, to }) => `shard ${shard + 1} moved from ${from} to ${to}`)
  const held = `${counted(heldBack, 'unit')} held back at first`
  return ['lost database', `${[...moves, held].join(', ')}; recovered after ${seconds.toFixed(1)} s`]
}
