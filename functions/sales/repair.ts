/**
 * Puts right what a crash or an outage between the table and Redis left behind. It compares first, so a sale that
 * is in step costs two small reads of Redis; everything it writes is guarded by versions, so it may run late,
 * twice and beside a marketer's own change.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Available, Flag } from '../../core/phase.ts'
import type { Sale } from '../../core/sale.ts'
import { applyEffects, type EffectPorts } from './effects.ts'
import type { SaleBook, SaleRecord } from './sale-book.ts'
import { type SettlePorts, settleIfPossible } from './settle.ts'

/** What Redis or the gate was last told of a sale. */
export type Told = { flag: Flag; version: number }

/** The same of the stock, with what the gate must know of its counters. */
export type StockTold = Told & { available: Available; restocks: number }

export type RepairPorts = {
  sales: Pick<SaleBook, 'find' | 'save'>
  stockReader: { read: (saleId: SaleId) => Promise<StockTold | undefined> }
  gateReader: { read: (saleId: SaleId) => Promise<Told | undefined> }
} & EffectPorts &
  SettlePorts

/** `stock-missing`: the sale should be on and Redis has lost its stock, which no repair brings back. */
export type Repaired = 'in-step' | 'repaired' | 'stock-missing'

/** True when what was told is this sale's present state. One that is not warmed has nothing to tell. */
export function inStep(sale: Sale, told: Told | undefined): boolean {
  if (!sale.warmed) return true
  return told !== undefined && told.version === sale.version && told.flag === sale.flag
}

/**
 * Settles a stock change under way and applies the sale's effects where Redis or the gate lags behind. Throws why
 * the change could not be settled, after the effects.
 */
export async function repair(ports: RepairPorts, saleId: SaleId): Promise<Repaired> {
  const present = await settleIfPossible(ports, saleId)
  // Deleted at this moment: whoever did that takes its effects away.
  if (present === undefined) return 'in-step'
  const repaired = await bringInStep(ports, present.record)
  if (present.unsettled !== undefined) throw present.unsettled
  return repaired
}

async function bringInStep(ports: RepairPorts, record: SaleRecord): Promise<Repaired> {
  const { sale } = record
  const { saleId } = sale
  const [stock, gate] = await Promise.all([ports.stockReader.read(saleId), ports.gateReader.read(saleId)])
  if (inStep(sale, gate) && (inStep(sale, stock) || shutForGood(sale, stock))) return 'in-step'
  if ((await applyEffects(ports, record)) === 'stock-missing') return 'stock-missing'
  if (stock !== undefined && !inStep(sale, gate)) await remindGate(ports, saleId, stock)
  return 'repaired'
}

/** A gate that lost its hash lost `sold out` with it, and those who told it once do not tell it again (G4). */
async function remindGate({ gate }: RepairPorts, saleId: SaleId, stock: StockTold): Promise<void> {
  if (stock.restocks > 0) await gate.raiseRestocked(saleId, stock.restocks)
  if (stock.available === 0) await gate.raiseSoldOut(saleId, stock.restocks)
}

/** A started sale that lost its stock and is shut already: there is nothing left to tell the stock. */
function shutForGood(sale: Sale, stock: Told | undefined): boolean {
  return stock === undefined && sale.epoch > 0 && sale.flag !== 'on'
}
