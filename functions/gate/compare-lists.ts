/**
 * Lists that the table has for good, and the gate's store as a copy. Of the block list (R8) every instance of the gate
 * has all; every writer of the copy reads the table again afterwards, so the last writer is right, however late. Of the
 * shoppers who may buy in a sale by invitation, instances ask for single ones; the copy follows each change of the
 * table, and is made again after a loss.
 */
import type { BlockEntry } from '../../core/api/control-answers.ts'
import { type Block, blockField } from '../../core/gate/block.ts'
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { addMembers, countMembers, readMembers, removeMembers } from '../../redis/gate/members.ts'
import { readBlocklist, setBlocked } from '../../redis/gate/shared-lists.ts'
import { repeatUntilStable } from '../lib/retry.ts'
import type { GatePorts, Shop } from '../lib/shop/shop.ts'
import { allBlocks, changeBlocks, findBlock, mostAtOnce } from '../table/gate/blocklist.ts'
import { allInvited } from '../table/sale/invited.ts'

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

type ComparePorts = GatePorts & Pick<Shop, 'newId'>

/**
 * Takes entries that have ended from the list, and makes the gate's list equal to the table's, after that, a loss or a
 * change that was cut off. Resolves with the number of entries that had to be put right.
 * @throws when a part is unavailable
 */
export async function compareBlocklist(ports: ComparePorts): Promise<number> {
  const { gate, table, clock } = ports
  let righted = 0
  for (let looks = 1; looks <= maxLooks; looks += 1) {
    const told = new Set(await readBlocklist(gate))
    const blocks = await allBlocks(table)
    const ended = blocks.filter(({ until }) => until !== undefined && until <= clock())
    if (ended.length > 0) await removeEnded(ports, ended)
    const over = new Set(ended.map(blockField))
    const rightful = new Set(blocks.map(blockField).filter((field) => !over.has(field)))
    const all = new Set([...told, ...rightful])
    const wrong = [...all].filter((field) => told.has(field) !== rightful.has(field))
    if (wrong.length === 0) break
    for (const some of slicesOf(wrong, atOnce)) {
      await Promise.all(some.map((field) => setBlocked(gate, field, rightful.has(field), clock())))
    }
    righted += wrong.filter((field) => !over.has(field)).length
  }
  return righted
}

/** One that a marketer prolongs meanwhile stays, and the gate has it again with the next look. */
async function removeEnded({ table, clock, newId }: ComparePorts, ended: readonly BlockEntry[]): Promise<void> {
  for (const some of slicesOf(ended, mostAtOnce)) {
    const by = { who: 'reconcile', requestId: newId(), what: 'end-blocks', saleId: null } as const
    const audit = { ...by, when: clock(), before: { entries: some.map(blockField) }, after: null }
    const changes = some.map((former) => ({ former }))
    await changeBlocks(table, changes, audit)
  }
}

/** Shoppers in one command to the gate's store. */
const membersAtOnce = 1000

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
  for (const some of slicesOf(missing, membersAtOnce)) await addMembers(gate, saleId, some)
  for (const some of slicesOf(strange, membersAtOnce)) await removeMembers(gate, saleId, some)
  return missing.length + strange.length
}
