/**
 * Puts right what a crash or an outage between the table and Redis left behind. It compares first, so a sale that
 * is in step costs two small reads of Redis; everything it writes is guarded by versions, so it may run late,
 * twice and beside a marketer's own change.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Flag } from '../../core/phase.ts'
import type { Sale } from '../../core/sale.ts'
import { applyEffects, type EffectPorts } from './effects.ts'
import type { SaleBook } from './sale-book.ts'
import { type SettlePorts, settle } from './settle.ts'

/** What Redis or the gate was last told of a sale. */
export type Told = { flag: Flag; version: number }

export type RepairPorts = {
  sales: Pick<SaleBook, 'find' | 'save'>
  stockReader: { read: (saleId: SaleId) => Promise<Told | undefined> }
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

/** Settles a stock change under way and applies the sale's effects where Redis or the gate lags behind. */
export async function repair(ports: RepairPorts, saleId: SaleId): Promise<Repaired> {
  const settled = await settle(ports, saleId)
  // Deleted or changed at this moment: whoever did that applies the effects.
  if (settled.kind !== 'record') return 'in-step'
  const { sale } = settled.record
  const [stock, gate] = await Promise.all([ports.stockReader.read(saleId), ports.gateReader.read(saleId)])
  if (inStep(sale, gate) && (inStep(sale, stock) || shutForGood(sale, stock))) return 'in-step'
  return (await applyEffects(ports, settled.record)) === 'applied' ? 'repaired' : 'stock-missing'
}

/** A started sale that lost its stock and is shut already: there is nothing left to tell the stock. */
function shutForGood(sale: Sale, stock: Told | undefined): boolean {
  return stock === undefined && sale.epoch > 0 && sale.flag !== 'on'
}
