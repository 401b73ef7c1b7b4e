/**
 * The scheduled repair of what a crash or an outage cut off: it empties outboxes, brings Redis and the gate in
 * step with the table, and puts public pointers right. It looks at the truth only, so running it often, late or
 * twice does no harm (I5, I6).
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { type RepairPorts, repair } from '../sales/repair.ts'
import { errorFacts } from '../telemetry.ts'
import { type Relayed, type Ports as RelayPorts, relay } from './relay.ts'

/** A message younger than this is most likely just being sent (O5). */
export const minAgeMs = 10_000

/** How long after its end a sale is still kept true. */
const afterlifeMs = 3_600_000

export type Ports = RelayPorts & RepairPorts & { sales: { list: () => Promise<readonly Sale[]> } }

/** `repaired` counts the sales that Redis or the gate had not been told everything about. */
export type Reconciled = Relayed & { repaired: number }

/** Repairs every sale that is or was on the shelf; one that fails is told and does not keep the others waiting. */
export async function reconcile(ports: Ports, ageMs: number): Promise<Reconciled> {
  const { sales, clock, meter, log, publisher } = ports
  const sum: Reconciled = { resent: 0, waiting: 0, oldestAgeMs: 0, repaired: 0 }
  for (const { saleId, warmed, epoch, endsAt } of await sales.list()) {
    if (!warmed) continue
    try {
      if (epoch > 0) add(sum, await relayed(ports, saleId, ageMs))
      if (clock() >= endsAt + afterlifeMs) continue
      if (await bringInStep(ports, saleId)) sum.repaired += 1
      await publisher.pointer(saleId)
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

async function relayed(ports: Ports, saleId: SaleId, ageMs: number): Promise<Relayed> {
  const sent = await relay(ports, saleId, ageMs)
  if (sent.resent > 0) ports.log.info('outbox sent again', { saleId, messages: sent.resent })
  return sent
}

function add(sum: Relayed, { resent, waiting, oldestAgeMs }: Relayed): void {
  sum.resent += resent
  sum.waiting += waiting
  sum.oldestAgeMs = Math.max(sum.oldestAgeMs, oldestAgeMs)
}

async function bringInStep(ports: Ports, saleId: SaleId): Promise<boolean> {
  const result = await repair(ports, saleId)
  if (result === 'repaired') ports.log.warn('sale brought in step with the table', { saleId })
  if (result === 'stock-missing') {
    ports.meter.count('ReconcileFailed')
    ports.log.error('Redis has lost the stock of a sale that is on', { saleId })
  }
  return result === 'repaired'
}
