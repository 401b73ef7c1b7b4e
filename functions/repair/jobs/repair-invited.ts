/**
 * Makes the gate's list of invited shoppers of a sale equal to the table's. The gate's list follows each change of the table,
 * so only a loss makes it differ. Both are read whole only in a full comparison, or when the gate has no list.
 */
import { slicesOf } from '../../../core/lib/slices.ts'
import { isInvitedOnly } from '../../../core/sale/sale.ts'
import { isOver } from '../../../core/sale/sale-life.ts'
import { addMembers, countMembers, readMembers, removeMembers } from '../../../redis/gate/members.ts'
import { allInvited } from '../../table/sale/invited.ts'
import type { SaleJob } from '../job.ts'

/** Shoppers in one command to the gate's store. */
const membersPerCommand = 1000

export const repairInvitedJob: SaleJob = {
  name: 'repairInvited',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: ({ sale }, now) => isInvitedOnly(sale) && !isOver(sale, now),
  async run({ table, gate, log }, { sale: { saleId }, full }) {
    if (!full && (await countMembers(gate, saleId)) > 0) return
    const present = new Set(await readMembers(gate, saleId))
    const expected = new Set(await allInvited(table, saleId))
    const missing = [...expected].filter((member) => !present.has(member))
    const stale = [...present].filter((member) => !expected.has(member))
    for (const some of slicesOf(missing, membersPerCommand)) await addMembers(gate, saleId, some)
    for (const some of slicesOf(stale, membersPerCommand)) await removeMembers(gate, saleId, some)
    const shoppers = missing.length + stale.length
    if (shoppers > 0) log.warn('list of invited shoppers repaired', { saleId, shoppers })
  },
}
