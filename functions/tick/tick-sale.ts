/**
 * What a running sale needs within two seconds. Its windows turn and open on time (R7), the gate learns how many
 * requests it may admit, in all and in a second (G7, R8), and a gate that lost the sale gets it again from one worker,
 * while requests wait (B3).
 */

import type { Sale } from '../../core/sale/sale.ts'
import { isSelling } from '../../core/sale/sale-life.ts'
import { type GateFacts, readGate } from '../../redis/gate/gate.ts'
import { readReachable, type StockFacts } from '../../redis/stock/stock.ts'
import type { LockPorts } from '../lib/lock.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { type AdmissionRates, replenishAtRate, type SeenSale } from '../sales/admissions.ts'
import type { SalePorts } from '../sales/effects.ts'
import { isPublishedToGate, isPublishedToStock } from '../sales/published-state.ts'
import { repair } from '../sales/repair-sale.ts'
import type { LookAtSale } from '../sales/scheduled-option.ts'
import { moveOnIfDue } from '../sales/window-steps.ts'
import { findSale } from '../table/sale/sales.ts'

/** The ports of the tick: those of a change of a sale, a lock, and what publishes the count of a split stock. */
export type TickPorts = SalePorts & LockPorts & Pick<Shop, 'shopfront' | 'newToken' | 'meter' | 'log'>

/**
 * Looks after `sale` once; resolves with the sale as it is now, or undefined when it is gone. With
 * nothing to be done that is a read of the gate and one of the stock.
 * @throws when a part is unavailable
 */
export async function tickSale(
  ports: TickPorts,
  sale: Sale,
  { rates, note }: { rates: AdmissionRates; note: LookAtSale },
): Promise<Sale | undefined> {
  const { table, clock } = ports
  const { saleId } = sale
  const gate = await readGate(ports.gate, saleId)
  // The gate has a newer version, so the one at hand is stale.
  const isOld = gate !== undefined && gate.version > sale.version
  const known = isOld ? (await findSale(table, saleId))?.sale : sale
  if (known === undefined) return undefined
  const present = await moveOnIfDue(ports, known)
  if (present !== known) return present
  const seen: SeenSale = isSelling(known, clock())
    ? await replenishAtRate(ports, known, rates)
    : { stock: await readReachable(ports.stock, saleId) }
  const { stock } = seen
  if (isBehind(known, gate, stock)) await publishAgain(ports, known)
  await ports.publisher.edge(saleId, gate)
  await note(known, { ...seen, gate })
  return known
}

/** True when the gate or the stock lacks this `sale`, which is not stale. A lost stock is left to the next run. */
function isBehind(sale: Sale, gate: GateFacts | undefined, stock: StockFacts | undefined): boolean {
  if (gate === undefined) return true
  if (Math.max(gate.version, stock?.version ?? 0) > sale.version) return false
  if (!isPublishedToGate(sale, gate, stock)) return true
  return stock === undefined ? sale.epoch === 0 : !stock.frozen && !isPublishedToStock(sale, stock)
}

async function publishAgain(ports: TickPorts, { saleId }: Sale): Promise<void> {
  const { unfinishedChange } = await repair(ports, saleId)
  if (unfinishedChange !== undefined) throw unfinishedChange
}
