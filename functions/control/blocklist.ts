/**
 * A marketer blocks a shopper, a member of staff, addresses or a key, or unblocks them (R8). Safe to repeat
 * (I5).
 */

import type { Block } from '../../core/gate/block.ts'
import { publishBlock } from '../repair/gate/compare-blocklist.ts'
import type { Actor } from '../sales/audit.ts'
import type { GatePorts } from '../shop/shop.ts'
import { addBlock, type BlockAdded, removeBlock } from '../table/gate/blocklist.ts'

/** The entry as it is now. An earlier block keeps its author. */
export async function block(ports: GatePorts, actor: Actor, blocked: Block): Promise<BlockAdded> {
  const when = ports.clock()
  const entry = { ...blocked, who: actor.who, when }
  const change = { ...actor, what: 'block' as const, saleId: null, when, before: null, after: blocked }
  const added = await addBlock(ports.table, entry, change)
  if (added.kind !== 'full') await publishBlock(ports, blocked)
  return added
}

export async function unblock(ports: GatePorts, actor: Actor, blocked: Block): Promise<void> {
  const change = {
    ...actor,
    what: 'unblock' as const,
    saleId: null,
    when: ports.clock(),
    before: blocked,
    after: null,
  }
  await removeBlock(ports.table, blocked, change)
  await publishBlock(ports, blocked)
}
