/**
 * Makes the block list of the gate (R8) equal to the table's, after a loss or an interrupted change, and removes expired
 * entries. Every writer of the gate's list reads the table again after writing, so the last one publishes the latest state.
 */
import type { BlockEntry } from '../../../core/api/control-answers.ts'
import { blockField } from '../../../core/gate/block.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { readBlocklist, setBlocked } from '../../../redis/gate/shared-lists.ts'
import { allBlocks, changeBlocks, maxEntriesPerTransaction } from '../../table/gate/blocklist.ts'
import type { Job, JobRun } from '../job.ts'

/** The maximum of comparisons in one run, because marketers change the list meanwhile; the next run continues. */
const maxComparisons = 3

/** Concurrent changes of the gate's store. */
const concurrency = 50

export const repairBlocklistJob: Job = {
  name: 'repairBlocklist',
  everyMinutes: 1,
  budgetMs: Infinity,
  async run(run) {
    const entries = await repairBlocklist(run)
    if (entries > 0) run.log.warn('block list repaired', { entries })
  },
}

/** Resolves with the number of entries that the gate lacked or kept too long. @throws when a part is unavailable */
async function repairBlocklist(run: JobRun): Promise<number> {
  const { gate, table, clock } = run
  let repaired = 0
  for (let comparisons = 1; comparisons <= maxComparisons; comparisons += 1) {
    const published = new Set(await readBlocklist(gate))
    const blocks = await allBlocks(table)
    const ended = blocks.filter(({ until }) => until !== undefined && until <= clock())
    if (ended.length > 0) await removeEnded(run, ended)
    const over = new Set(ended.map(blockField))
    const expected = new Set(blocks.map(blockField).filter((field) => !over.has(field)))
    const all = new Set([...published, ...expected])
    const wrong = [...all].filter((field) => published.has(field) !== expected.has(field))
    if (wrong.length === 0) break
    for (const some of slicesOf(wrong, concurrency)) {
      await Promise.all(some.map((field) => setBlocked(gate, field, expected.has(field), clock())))
    }
    repaired += wrong.filter((field) => !over.has(field)).length
  }
  return repaired
}

/** Removes expired entries. If a marketer extends one meanwhile it stays, and the next comparison publishes it again. */
async function removeEnded({ table, clock, newId }: JobRun, ended: readonly BlockEntry[]): Promise<void> {
  for (const some of slicesOf(ended, maxEntriesPerTransaction)) {
    const by = { who: 'reconcile', requestId: newId(), what: 'end-blocks', saleId: null } as const
    const audit = { ...by, when: clock(), before: { entries: some.map(blockField) }, after: null }
    const changes = some.map((former) => ({ former }))
    await changeBlocks(table, changes, audit)
  }
}
