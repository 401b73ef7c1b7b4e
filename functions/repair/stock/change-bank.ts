/** Changes the bank of a split stock, as a recovery does. */

import type { SaleId } from '../../../core/ids.ts'
import type { Bank } from '../../../core/stock/rights.ts'
import { findBank, saveBank } from '../../table/stock/banks.ts'
import type { RepairPorts } from '../ports.ts'

/**
 * Saves the bank after `step`, however often others save it meanwhile; resolves with what was saved.
 * @throws when there is no bank, or the lock was lost
 */
export async function changeBank(
  { table }: Pick<RepairPorts, 'table'>,
  saleId: SaleId,
  signal: AbortSignal,
  step: (bank: Bank) => Bank,
): Promise<Bank> {
  for (;;) {
    signal.throwIfAborted()
    const bank = await findBank(table, saleId)
    if (bank === undefined) throw new Error(`${saleId} has no bank`)
    const next = step(bank)
    if (next === bank || (await saveBank(table, saleId, bank.revision, next)) === 'saved') return next
  }
}
