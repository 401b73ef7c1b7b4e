/**
 * Closes a red-packet budget in the table: the money returned and its audit entry are one
 * transaction.
 */
import type { BudgetStore } from '../repair/ports.ts'
import { auditPut } from './audit.dynamodb.ts'
import { closeCap } from './cap-item.ts'
import type { Table } from './dynamodb.ts'
import { transact } from './transaction.ts'

export function dynamoBudgetStore(table: Table): BudgetStore {
  const { name } = table
  return {
    async close(saleId, claimed, audit) {
      const written = await transact(table, [
        closeCap(name, saleId, { closedAt: audit.when, seen: claimed }),
        auditPut(name, audit),
      ])
      return written === 'written' ? 'closed' : 'moved'
    },
  }
}
