/**
 * Returns what is left of red packets to the budget once their sale is over: the packets leave the shelf, and the books of the
 * sale are closed. Both wait until every claim is credited, so that claimed and left are the whole to the cent; from then on
 * nothing more is credited.
 */
import type { SaleId } from '../../core/ids.ts'
import { hasEnded, type Sale } from '../../core/sale.ts'
import type { AuditEntry } from '../sales/sale-book.ts'
import { type ClaimPorts, claimDrift } from './claims.ts'

/** `moved`: more was credited than `claimed`, or the books were closed before; nothing changed. Throws when the table is dark. */
export type PacketBooks = {
  close: (saleId: SaleId, claimed: number, audit: AuditEntry) => Promise<'closed' | 'moved'>
}

export type LeftOverPorts = ClaimPorts & { packetBooks: PacketBooks; newId: () => string }

/** Resolves with the money that went back, in minor units; undefined when it is not time, or was done. Throws when a part is dark. */
export async function returnLeftOver(ports: LeftOverPorts, sale: Sale): Promise<number | undefined> {
  const { claims, saleOrders, packetBooks, clock, newId, log } = ports
  const { saleId, warmed } = sale
  const now = clock()
  if (sale.kind !== 'red-packet' || !warmed || !hasEnded(sale, now)) return undefined
  const money = (await saleOrders.totals(saleId))?.money
  if (money === undefined || money.closedAt !== undefined) return undefined
  if ((await claimDrift(ports, saleId)) !== 0) return undefined
  if ((await claims.retire(saleId, now)) === 'open') return undefined
  const { budget, claimed } = money
  const returned = budget - claimed
  const audit = {
    ...{ who: 'reconcile', requestId: newId(), what: 'return', saleId, when: now },
    before: null,
    after: { budget, claimed, returned },
  }
  if ((await packetBooks.close(saleId, claimed, audit)) === 'moved') return undefined
  log.info('what was left of the packets was returned', { saleId, budget, claimed, returned })
  return returned
}
