/** The parts of one play: its world, the gate before it, the consumers behind it, and the violations so far. */
import type { Sale } from '../../../core/sale/sale.ts'
import { holdAgeMs } from '../../../functions/recovery/stock/compare-holds.ts'
import type { Reconciled } from '../../../functions/repair/job.ts'
import { reconcile } from '../../../functions/repair/reconcile.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { seriesRecorder } from '../../../functions/tick/record-series.ts'
import { tick } from '../../../functions/tick/tick.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import type { Commander } from '../../../redis/command.ts'
import { startOfTests } from '../../edge/support.ts'
import { consumersOf } from '../../world/consumers.ts'
import { openGateOf } from '../../world/gate.ts'
import { phone } from '../../world/stock-record.ts'
import { world } from '../../world/world.ts'
import type { Settings } from './choices.ts'
import type { Won } from './differences.ts'

/** Long enough for an escrow to come to rest. */
const tickedMs = 5_000

type Played = {
  won: Won[]
  /** The violations, as text. */
  violations: string[]
  /** The events, so that a test can check that they happened. */
  seen: Record<'paid' | 'disputed' | 'cancelled' | 'refunded' | 'expired' | 'redeemed' | 'waited', number>
}

export type Stage = Awaited<ReturnType<typeof setUp>>

export async function setUp(redis: Commander, settings: Settings, seed: number) {
  const own = await world({ redis, now: startOfTests, ...(settings.shards === 'three' && { databases: 3 }) })
  const played: Played = {
    ...{ won: [], violations: [] },
    seen: { paid: 0, disputed: 0, cancelled: 0, refunded: 0, expired: 0, redeemed: 0, waited: 0 },
  }
  const random = openRandom(seed)
  return {
    ...played,
    settings,
    random,
    own,
    gate: await openGateOf(own),
    consumers: consumersOf(own),
    series: seriesRecorder(own.ports),
    shoppers: 0,
  }
}

export async function saleOf({ own }: Stage): Promise<Sale> {
  const record = await findSale(own.table, phone)
  if (record === undefined) throw new Error('the sale is gone')
  return record.sale
}

export function expectStatus({ violations }: Stage, status: number, answer: { status: number; body: unknown }): void {
  if (answer.status !== status) violations.push(`not ${status} but ${answer.status} ${JSON.stringify(answer.body)}`)
}

/** Moves the clock; the last seconds are ticked as the schedule does it. */
export async function passTo({ own, series }: Stage, at: number): Promise<void> {
  own.clock.now = Math.max(own.clock.now, at - tickedMs)
  await tick(own.ports, at, { series })
  own.clock.now = Math.max(own.clock.now, at)
}

export function reconcileAll({ own }: Pick<Stage, 'own'>): Promise<Reconciled> {
  own.clock.now += 61_000
  return reconcile(own.ports, { minAgeMs: 10_000, holdAgeMs, full: true }, own.clock.now + 25_000)
}
