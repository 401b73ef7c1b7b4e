/** Closes a red-packet budget in the table: the money returned and its audit entry are one transaction. */

import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type AuditEntry, auditPut } from '../audit.ts'
import { closeCap } from '../stock/cap-item.ts'
import { transact } from '../transaction.ts'

/**
 * `moved`: more was credited than `claimed`, or the budget was closed before; nothing changed.
 * @throws when the table is unavailable
 */
export async function recordClosedBudget(
  table: Table,
  saleId: SaleId,
  claimed: number,
  audit: AuditEntry,
): Promise<'closed' | 'moved'> {
  const written = await transact(table, [
    closeCap(table.name, saleId, { closedAt: audit.when, seen: claimed }),
    auditPut(table.name, audit),
  ])
  return written === 'written' ? 'closed' : 'moved'
}
