/**
 * Keeps one sale true: what a crash or an outage cut off on its way through Redis, the queue and the table is found and
 * brought to its end. It looks at the truth only, so running it often, late or twice does no harm (I5, I6).
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { OrderLedger, Releases } from '../order-life/order-ledger.ts'
import { releaseUnits } from '../order-life/release.ts'
import { type Repaired, type RepairPorts, repair } from '../sales/repair.ts'
import { compare, type DriftPorts } from './drift.ts'
import { checkHolds, type HoldsChecked, type HoldsPorts } from './holds.ts'
import { type Relayed, type RelayPorts, relay } from './relay.ts'

export type UpkeepPorts = RelayPorts &
  RepairPorts &
  HoldsPorts &
  DriftPorts & {
    releases: Releases
    ledger: OrderLedger
    publisher: { pointer: (saleId: SaleId) => Promise<void> }
  }

/** How thoroughly to look: ages in ms, `everyHold` compares each even when the counters agree, or the sale is over. */
export type Thoroughness = { minAgeMs: number; holdAgeMs: number; everyHold: boolean }

/**
 * What was found. `drift` is booked − sold before anything was put right, null when unknown. `holds` is undefined when
 * the counters left nothing to look for. `released` counts orders whose release was still due.
 */
export type Kept = Relayed & {
  state: Repaired['kind']
  drift: number | null
  holds: HoldsChecked | undefined
  released: number
}

/** How long after its last order could be cancelled a sale is still compared. */
const afterlifeMs = 3_600_000

/**
 * Looks after `sale` once. A sale `to-recover` is left to `recover`. Cancels nothing after `deadline` (epoch ms). Throws
 * when a part is dark, or why a stock change could not be settled, which keeps nothing else from being done.
 */
export async function keepTrue(
  ports: UpkeepPorts,
  sale: Sale,
  thoroughness: Thoroughness,
  deadline: number,
): Promise<Kept> {
  const { clock, publisher } = ports
  const { saleId, warmed, epoch } = sale
  const kept: Kept = { ...nothing, state: 'in-step' }
  if (!warmed) return kept
  if (epoch > 0) Object.assign(kept, await relay(ports, sale, thoroughness.minAgeMs))
  if (isOver(sale, clock()) && !thoroughness.everyHold) {
    kept.released = await releaseUnits(ports, saleId, await ports.releases.due(saleId))
    return kept
  }
  const { kind, unsettled } = await repair(ports, saleId)
  kept.state = kind
  if (kind !== 'to-recover') {
    if (epoch > 0) Object.assign(kept, await bringHoldsInStep(ports, sale, thoroughness, deadline))
    await publisher.pointer(saleId)
  }
  if (unsettled !== undefined) throw unsettled
  return kept
}

const nothing = {
  resent: 0,
  waiting: 0,
  oldestAgeMs: 0,
  givenUp: 0,
  drift: null,
  holds: undefined,
  released: 0,
}

/** True when nothing can happen to a sale any more: orders reserved at its end are long paid or cancelled. */
export function isOver({ endsAt, paymentWindowSeconds, paymentGraceSeconds }: Sale, now: number): boolean {
  return now >= endsAt + (paymentWindowSeconds + paymentGraceSeconds) * 1000 + afterlifeMs
}

/** A release that is due keeps its units booked though they are not sold any more, and that is no drift. */
async function bringHoldsInStep(
  ports: UpkeepPorts,
  sale: Sale,
  { holdAgeMs, everyHold }: Thoroughness,
  deadline: number,
): Promise<Pick<Kept, 'drift' | 'holds' | 'released'>> {
  const { saleId } = sale
  const compared = await compare(ports, saleId)
  const due = await ports.releases.due(saleId)
  const drift = due.length > 0 ? null : compared.drift
  if (drift !== null) ports.meter.count('Drift', Math.abs(drift))
  const differs = due.length > 0 ? await redisForgot(ports, due) : !compared.agrees
  const holds = everyHold || differs ? await checkHolds(ports, sale, holdAgeMs, deadline) : undefined
  return { drift, holds, released: await releaseUnits(ports, saleId, due) }
}

/**
 * True when the table refused what Redis had promised: Redis must have forgotten somebody's units. They are put back
 * before these are released, or they would be promised once more.
 */
async function redisForgot({ ledger }: UpkeepPorts, due: readonly OrderId[]): Promise<boolean> {
  const orders = await ledger.findMany(due)
  return [...orders.values()].some(({ reason }) => reason === 'over-cap' || reason === 'over-limit')
}
