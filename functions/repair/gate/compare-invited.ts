/**
 * The shoppers who may buy in a sale by invitation. The table has the list for good; the gate's store has a copy, of
 * which instances of the gate ask for single shoppers. The copy follows each change of the table, and is made again
 * after a loss.
 */
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { addMembers, countMembers, readMembers, removeMembers } from '../../../redis/gate/members.ts'
import type { Shop } from '../../lib/shop/shop.ts'
import { allInvited } from '../../table/sale/invited.ts'

/** Shoppers in one command to the gate's store. */
const atOnce = 1000

/**
 * Makes the gate's copy of the list equal to the table's. Reads both whole only with `full`, or when the
 * copy is empty. Resolves with the number of members that had to be put right.
 * @throws when a part is unavailable
 */
export async function compareInvited(
  { table, gate }: Pick<Shop, 'table' | 'gate'>,
  saleId: SaleId,
  { full }: { full: boolean },
): Promise<number> {
  if (!full && (await countMembers(gate, saleId)) > 0) return 0
  const present = new Set(await readMembers(gate, saleId))
  const rightful = new Set(await allInvited(table, saleId))
  const missing = [...rightful].filter((member) => !present.has(member))
  const strange = [...present].filter((member) => !rightful.has(member))
  for (const some of slicesOf(missing, atOnce)) await addMembers(gate, saleId, some)
  for (const some of slicesOf(strange, atOnce)) await removeMembers(gate, saleId, some)
  return missing.length + strange.length
}
