/** Notes at each start how large a crowd the reminders promise, and ten minutes later how large it was. */
import type { SaleId } from '../../core/ids.ts'
import { expectedCrowd, measuredAfterMs } from '../../core/people/crowd.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { latestCrowds, noteExpected, noteMeasured, readCrowds } from '../table/people/crowds.ts'
import { countReminders } from '../table/people/reminders.ts'
import { aheadMs } from './needs-tick.ts'
import type { RepairPorts } from './ports.ts'

/** A start that is first seen later is not noted. */
const latestMs = 3_600_000

/** A window may end earlier; its last looks are within this time, ms. */
const beforeEndMs = 15_000

/** What a run knows of the start of a window; `noted` is undefined where no forecast was noted. */
type KnownStart = { windowIndex: number; noted: { at: number; before: number } | undefined }

/** For one run: `note` is called with the requests that have reached the gate so far (`asked`), every few seconds. */
export function crowdKeeper({ table, clock, sendsMails }: Pick<RepairPorts, 'table' | 'clock' | 'sendsMails'>) {
  const known = new Map<SaleId, KnownStart>()

  /** @throws when the table is unavailable; a repeat goes on */
  async function note(sale: Sale, asked: number): Promise<void> {
    const { saleId, windowIndex, startsAt, endsAt } = sale
    const now = clock()
    if (!sendsMails || now < startsAt - aheadMs || now > startsAt + latestMs + measuredAfterMs) return
    const start = await startOf(sale, asked)
    if (start === undefined) return
    const lastLook = Math.max(endsAt - beforeEndMs, (startsAt + endsAt) / 2)
    if (now < Math.min(Math.max(startsAt, start.at) + measuredAfterMs, lastLook)) return
    const { opened } = await countReminders(table, sale, 'start')
    await noteMeasured(table, sale, { opened, came: Math.max(0, asked - start.before), at: now })
    known.set(saleId, { windowIndex, noted: undefined })
  }

  async function startOf(sale: Sale, asked: number): Promise<KnownStart['noted']> {
    const { saleId, windowIndex, startsAt } = sale
    const before = known.get(saleId)
    if (before?.windowIndex === windowIndex) return before.noted
    let noted: KnownStart['noted']
    const there = (await readCrowds(table, saleId)).get(windowIndex)
    if (there !== undefined) {
      if (there.came === undefined) noted = { at: there.notedAt, before: there.before }
    } else if (clock() <= startsAt + latestMs) {
      const counts = await countReminders(table, sale, 'start')
      const expected = expectedCrowd(counts, counts.asked === 0 ? [] : await latestCrowds(table))
      if (expected !== undefined) {
        noted = { at: clock(), before: windowIndex === 0 ? 0 : asked }
        await noteExpected(table, sale, {
          ...{ ...expected, reminders: counts.asked },
          ...{ before: noted.before, notedAt: noted.at },
        })
      }
    }
    known.set(saleId, { windowIndex, noted })
    return noted
  }

  return { note }
}
