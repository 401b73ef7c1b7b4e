/**
 * Makes the world match a sale. The sale in the table is the truth; Redis, the gate and the public objects
 * follow, in this order, and every step may be repeated. So one function serves every change, and calling any
 * action again repairs what a crash left half done.
 *
 *   1 stock      the script refuses or accepts by the new state before anyone is told of it
 *   2 gate       every edge learns of it within a second; nobody has a new token yet, so nobody is let in early
 *   3 countdown  the new version exists before anything names it (C6)
 *   4 pointer    now every waiting page learns of it
 *   5 pages      what is left: texts and pictures
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { StockChange } from '../../redis/add-stock.ts'
import type { Flipped } from '../../redis/flip.ts'
import type { Publisher } from '../publishing/publisher.ts'

/** The stock on the shelf. */
export type Stock = {
  warm: (sale: Sale) => Promise<unknown>
  flip: (sale: Sale) => Promise<Flipped>
  add: (saleId: SaleId, delta: number, changeId: string) => Promise<StockChange>
  remove: (saleId: SaleId) => Promise<void>
}

/** What the edge may believe. */
export type Gate = {
  set: (sale: Sale) => Promise<void>
  raiseSoldOut: (saleId: SaleId, restocks: number) => Promise<void>
  raiseRestocked: (saleId: SaleId, restocks: number) => Promise<void>
}

export type EffectPorts = { stock: Stock; gate: Gate; publisher: Publisher }

/** `stock-missing`: the sale was started and Redis has lost its stock; nothing was published. */
export type Applied = 'applied' | 'stock-missing'

export async function applyEffects({ stock, gate, publisher }: EffectPorts, sale: Sale): Promise<Applied> {
  if (sale.warmed) {
    if (sale.epoch === 0) {
      // Nobody can have reserved yet, so putting the stock there, even again, gives nothing away twice.
      await stock.warm(sale)
    } else if ((await stock.flip(sale)).kind === 'unknown-sale') {
      return 'stock-missing'
    }
  }
  if (sale.warmed) await gate.set(sale)
  await publisher.countdown(sale)
  await publisher.pointer(sale.saleId)
  await publisher.pages(sale.saleId)
  return 'applied'
}

/** Takes away what a deleted sale left behind. It was never started, so nobody holds anything of it. */
export async function removeEffects({ stock, gate, publisher }: EffectPorts, sale: Sale): Promise<void> {
  if (sale.warmed) {
    await gate.set({ ...sale, flag: 'closed', version: sale.version + 1 })
    await stock.remove(sale.saleId)
  }
  await publisher.withdraw(sale.saleId)
}
