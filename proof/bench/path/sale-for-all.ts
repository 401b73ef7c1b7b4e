/** A sale that admits all its shoppers at once, and its orders. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlClient, controlClient } from '../../../cli/control-client.ts'
import { type OpenSale, openGoodsSale } from '../../rush/open-sale.ts'
import type { WrittenOrder } from '../../rush/verdict.ts'
import { liveIfUp } from '../../rush/wait-for-rest.ts'
import type { System } from '../system.ts'

export type SaleForAll = OpenSale & { control: ControlClient }

/** Sets as many admissions in a second as a sale may have: the rate of a database is no limit of this machine. */
export async function openForAll(system: System, stock: number): Promise<SaleForAll> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const units = { stock, quantity: 1, limitPerShopper: 1, admitPerSecond: 1_000_000 }
  return { ...(await openGoodsSale(system.url, control, units)), control }
}

const pollMs = 500

/**
 * Resolves once `count` orders were written, without the repairs of `reconcile`.
 * @throws when some are missing after `patienceMs`
 */
export async function untilWritten({ control, saleId }: SaleForAll, count: number, patienceMs: number): Promise<void> {
  for (const deadline = performance.now() + patienceMs; ; await sleep(pollMs)) {
    const sold = (await liveIfUp(control, saleId))?.orders.sold ?? 0
    if (sold >= count) return
    if (performance.now() > deadline) throw new Error(`${sold} of ${count} orders were written`)
  }
}

/**
 * The written orders of the sale.
 * @throws when there are fewer than `accepted`
 */
export async function allOrders(system: System, { saleId }: OpenSale, accepted: number): Promise<WrittenOrder[]> {
  const written = await system.orders(saleId)
  if (written.length < accepted) throw new Error(`${written.length} of ${accepted} orders were written`)
  return written
}
