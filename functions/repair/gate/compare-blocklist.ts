/**
 * The block list (R8). The table holds who blocked whom and when; the gate's store holds a copy for
 * every instance of the gate. Every writer of the copy reads the table again afterwards, so the
 * last writer is right, however late.
 */

import { type Block, blockField } from '../../../core/gate/block.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { readBlocklist, setBlocked } from '../../../redis/gate/shared-lists.ts'
import { repeatUntilStable } from '../../lib/until-stable.ts'
import type { GatePorts } from '../../shop/shop.ts'
import { allBlocks, findBlock } from '../../table/gate/blocklist.ts'

/** Publishes one block, or its removal, to the gate. Safe to repeat. */
export async function publishBlock({ gate, table, clock }: GatePorts, block: Block): Promise<void> {
  await repeatUntilStable(
    async () => (await findBlock(table, block)) !== undefined,
    (blocked) => setBlocked(gate, blockField(block), blocked, clock()),
  )
}

/** The most comparisons of one run, because marketers change the list meanwhile; the next run goes on. */
const maxLooks = 3

/** Changes on their way to the gate's store at once. */
const atOnce = 50

/**
 * Makes the gate's list equal to the table's, after a loss or a change that was cut off. Resolves
 * with the number of entries that had to be put right.
 * @throws when a part is unavailable
 */
export async function compareBlocklist({ gate, table, clock }: GatePorts): Promise<number> {
  let righted = 0
  for (let looks = 1; looks <= maxLooks; looks += 1) {
    const told = new Set(await readBlocklist(gate))
    const rightful = new Set((await allBlocks(table)).map(blockField))
    const all = new Set([...told, ...rightful])
    const wrong = [...all].filter((field) => told.has(field) !== rightful.has(field))
    if (wrong.length === 0) break
    for (const some of slicesOf(wrong, atOnce)) {
      await Promise.all(some.map((field) => setBlocked(gate, field, rightful.has(field), clock())))
    }
    righted += wrong.length
  }
  return righted
}
