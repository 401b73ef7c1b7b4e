/**
 * A marketer blocks shoppers, members of staff, addresses or keys, or unblocks them (R8). Safe to repeat (I5).
 */

import type { BlockTerms } from '../../core/api/blocks.ts'
import type { BlockEntry } from '../../core/api/control-answers.ts'
import { type Block, blockField } from '../../core/gate/block.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import type { GatePorts } from '../lib/shop/shop.ts'
import { publishBlock } from '../repair/gate/compare-blocklist.ts'
import type { Actor } from '../sales/audit.ts'
import {
  addBlock,
  allBlocks,
  type BlockAdded,
  changeBlocks,
  maxBlocks,
  mostAtOnce,
  removeBlock,
} from '../table/gate/blocklist.ts'

const hasTerms = ({ reason, until }: BlockTerms, entry: BlockTerms) => entry.reason === reason && entry.until === until

/** Other entries of a call that meets other changes are read again as often. */
const mostTries = 3

/**
 * The entry as it is now. An earlier block keeps its author, unless `terms` say another reason or end. Without any they stay
 * as they are.
 * @throws when a part is unavailable, or others keep changing the entry
 */
export async function block(
  ports: GatePorts,
  actor: Actor,
  blocked: Block,
  terms: BlockTerms = {},
): Promise<BlockAdded> {
  const when = ports.clock()
  const entry = { ...blocked, ...terms, who: actor.who, when }
  const after = { ...blocked, ...terms }
  const change = { ...actor, what: 'block' as const, saleId: null, when, before: null, after }
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const added = await addBlock(ports.table, entry, change)
    if (added.kind === 'full') return added
    const { who, when: since, ...before } = added.entry
    const isAsSaid = added.kind === 'added' || Object.keys(terms).length === 0 || hasTerms(terms, before)
    const replaced =
      isAsSaid ||
      (await changeBlocks(ports.table, [{ entry, former: added.entry }], { ...change, before })) === 'written'
    if (!replaced) continue
    await publishBlock(ports, blocked)
    return isAsSaid ? added : { kind: 'there', entry }
  }
  throw new Error('others keep changing this entry')
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

type Imported = { kind: 'done'; changed: number; same: number } | { kind: 'full' }

/**
 * Adds entries, and changes the reason and end of those on the list; `dryRun` only counts.
 * @throws when a part is unavailable, or others keep changing these entries; a part of them may have been changed
 */
export async function importBlocks(
  ports: GatePorts,
  actor: Actor,
  asked: readonly (Block & BlockTerms)[],
  dryRun: boolean,
): Promise<Imported> {
  const when = ports.clock()
  const entries = new Map(asked.map((one) => [blockField(one), { ...one, who: actor.who, when }]))
  let changed = 0
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const listed = new Map((await allBlocks(ports.table)).map((entry) => [blockField(entry), entry]))
    const changes = [...entries].flatMap(([field, entry]) => {
      const former = listed.get(field)
      return former !== undefined && hasTerms(entry, former) ? [] : [{ entry, former }]
    })
    const added = changes.filter(({ former }) => former === undefined).length
    if (listed.size + added > maxBlocks) return { kind: 'full' }
    if (dryRun) return { kind: 'done', changed: changes.length, same: asked.length - changes.length }
    let isRefused = false
    for (const some of slicesOf(changes, mostAtOnce)) {
      const after = { entries: some.map(({ entry }) => blockField(entry)) }
      const audit = { ...actor, what: 'import-blocks' as const, saleId: null, when, before: null, after }
      if ((await changeBlocks(ports.table, some, audit)) === 'written') changed += some.length
      else isRefused = true
    }
    if (isRefused) continue
    // All of them: an earlier call may have been cut off before the gate's copy.
    for (const some of slicesOf([...entries.values()], mostAtOnce))
      await Promise.all(some.map((entry: BlockEntry) => publishBlock(ports, entry)))
    return { kind: 'done', changed, same: asked.length - changed }
  }
  throw new Error('others keep changing these entries')
}
