/**
 * What a running sale needs within two seconds. Its windows turn and open on time (R7), the gate learns how many
 * requests it may admit, in all and in a second (G7, R8), and a gate that lost the sale gets it again from one worker,
 * while requests wait (B3).
 */
import type { Sale } from '../../core/sale/sale.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import { type GateFacts, readGate } from '../../redis/gate/gate.ts'
import { readReachable, type StockFacts } from '../../redis/stock/stock.ts'
import { type AdmissionRates, replenishAtRate, type SeenSale } from '../sales/admissions.ts'
import { gateInStep, stockInStep } from '../sales/in-step.ts'
import { repair } from '../sales/repair-sale.ts'
import { dueWork, moveOn } from '../sales/window-steps.ts'
import { findSale } from '../table/sale/sales.ts'
import type { RepairPorts } from './ports.ts'
import type { LookAtSale } from './scheduled-option.ts'

/** Clicks come a little before a sale opens for a clock that runs ahead. */
export const aheadMs = 10_000

/**
 * Whether a sale needs a look every second: a run without such a sale ends at once and costs nothing. True when `sale`
 * sells, is paused in its window, or opens, turns or starts between `now` and
 * `until` (epoch ms). A sale that was never started counts only around its start, because `start`
 * itself publishes it and the next run finds it running.
 */
export function needsTick(sale: Sale, now: number, until: number): boolean {
  const { warmed, flag, epoch, startsAt, endsAt } = sale
  if (!warmed || flag === 'closed') return false
  if (dueWork(sale, now) !== undefined) return true
  if (now >= endsAt) return false
  const startsInTime = startsAt - aheadMs < until
  if (epoch === 0) return startsInTime && now < startsAt
  const turnsInTime = nextWindow(sale) !== undefined && endsAt < until
  return startsInTime || turnsInTime
}

/**
 * True before the first moment at which a unit of `sale` may be bought: only changes of a marketer, each of which is
 * published at once, make a difference to what it shows and admits.
 */
export function isToCome({ epoch, windowIndex, startsAt }: Sale, now: number): boolean {
  return epoch === 0 || (windowIndex === 0 && now < startsAt - aheadMs)
}

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
