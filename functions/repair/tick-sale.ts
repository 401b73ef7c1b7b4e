/**
 * What a running sale needs within two seconds. Its windows turn and open on time (R7), the gate learns how many
 * requests it may admit, in all and in a second (G7, R8), and a gate that lost the sale gets it again from one worker,
 * while requests wait (B3).
 */
import type { Sale } from '../../core/sale/sale.ts'
import { type GateFacts, readGate } from '../../redis/gate/gate.ts'
import { readReachable, type StockFacts } from '../../redis/stock/stock.ts'
import { type AdmissionRates, replenishAtRate, type SeenSale } from '../sales/admissions.ts'
import { gateInStep, stockInStep } from '../sales/in-step.ts'
import { repair } from '../sales/repair-sale.ts'
import { dueWork, moveOn } from '../sales/window-steps.ts'
import { findSale } from '../table/sale/sales.ts'
import { aheadMs } from './needs-tick.ts'
import type { RepairPorts } from './ports.ts'
import type { LookAtSale } from './scheduled-option.ts'

/**
 * Looks after `sale` once; resolves with the sale as it is now, or undefined when it is gone. With
 * nothing to be done that is a read of the gate and one of the stock.
 * @throws when a part is unavailable
 */
export async function tickSale(
  ports: RepairPorts,
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

/** The sale in the window that its clock is at, or undefined when it is gone. */
export async function moveOnIfDue(ports: RepairPorts, sale: Sale): Promise<Sale | undefined> {
  if (dueWork(sale, ports.clock()) === undefined) return sale
  return moveOn(ports, { who: 'reconcile', requestId: ports.newId() }, sale.saleId)
}

/** True while shoppers may buy, and a little before. */
export function isSelling({ flag, startsAt, endsAt }: Sale, now: number): boolean {
  return flag === 'on' && now >= startsAt - aheadMs && now < endsAt
}

/** True when the gate or the stock lacks this `sale`, which is not stale. A lost stock is left to the next run. */
function isBehind(sale: Sale, gate: GateFacts | undefined, stock: StockFacts | undefined): boolean {
  if (gate === undefined) return true
  if (Math.max(gate.version, stock?.version ?? 0) > sale.version) return false
  if (!gateInStep(sale, gate, stock)) return true
  return stock === undefined ? sale.epoch === 0 : !stock.frozen && !stockInStep(sale, stock)
}

async function publishAgain(ports: RepairPorts, { saleId }: Sale): Promise<void> {
  const { unfinishedChange } = await repair(ports, saleId)
  if (unfinishedChange !== undefined) throw unfinishedChange
}
