/**
 * The scheduled repair of what a crash or an outage cut off: it empties outboxes and puts public pointers
 * right. It looks at the truth only, so running it often, late or twice does no harm (I5, I6).
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { errorFacts } from '../telemetry.ts'
import { type Relayed, type Ports as RelayPorts, relay } from './relay.ts'

/** A message younger than this is most likely just being sent (O5). */
export const minAgeMs = 10_000

/** How long after its end a sale's pointer is still kept true. */
const afterlifeMs = 3_600_000

export type Ports = RelayPorts & {
  sales: { list: () => Promise<readonly Sale[]> }
  shopfront: { refresh: (saleId: SaleId, moreToCome: boolean) => Promise<void> }
}

/** Repairs every started sale; one that fails is told and does not keep the others waiting. */
export async function reconcile(ports: Ports, ageMs: number): Promise<Relayed> {
  const { sales, clock, meter, log } = ports
  const sum: Relayed = { resent: 0, waiting: 0, oldestAgeMs: 0 }
  for (const { saleId, epoch, endsAt } of await sales.list()) {
    if (epoch === 0) continue
    try {
      const relayed = await relay(ports, saleId, ageMs)
      sum.resent += relayed.resent
      sum.waiting += relayed.waiting
      sum.oldestAgeMs = Math.max(sum.oldestAgeMs, relayed.oldestAgeMs)
      if (relayed.resent > 0) log.info('outbox sent again', { saleId, messages: relayed.resent })
      if (clock() < endsAt + afterlifeMs) await ports.shopfront.refresh(saleId, false)
    } catch (error) {
      meter.count('ReconcileFailed')
      log.error('sale not reconciled', { saleId, ...errorFacts(error) })
    }
  }
  meter.count('OutboxResent', sum.resent)
  meter.count('OutboxSize', sum.waiting)
  meter.count('OutboxAge', Math.round(sum.oldestAgeMs / 1000))
  return sum
}
