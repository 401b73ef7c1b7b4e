/** What the pages of a draw decide: the report of a check, and what a shopper's entry shows at which time. */
import { describe, expect, it } from 'vitest'
import type { EntryView } from '../../../core/api/entries.ts'
import { hexOf } from '../../../core/draw/bytes.ts'
import { checkDraw } from '../../../core/draw/check-draw.ts'
import { membersOf } from '../../../core/draw/ranking.ts'
import { idOf } from '../../../core/draw/record.ts'
import { fileOfLines, sourceOf, verifyTestRound } from '../../../proof/draw/publish-draw.ts'
import { randomDraw } from '../../../proof/draw/random-draw.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import { reportDraw } from '../../../static/client/draw/check-work.ts'
import {
  chanceOfEntry,
  entryStageOf,
  nextAllocationLookMs,
  readEntry,
} from '../../../static/client/draw/entry-state.ts'
import { allocatedIn, lacksClosingHead, payloadIn } from '../../../static/client/draw/public-files.ts'

const verifyRound = verifyTestRound
const draw = await randomDraw(openRandom(5), { entrants: 60, batches: 3, variants: 2, mostInGroup: 1 }, false)

describe('the report of a draw', () => {
  it('says of each entry what the ranks say, by its receipt alone', async () => {
    const { result } = await checkDraw(sourceOf(draw.files), { verifyRound })
    if (result === undefined) throw new Error('the draw has no result')
    const { ranking, allocation } = result
    let ahead = 0
    for (const [rank, party] of ranking.byRank.entries()) {
      const [entry = 0] = membersOf(ranking, party)
      const known = { receipts: [draw.receiptOf(entry)] }
      const report = await reportDraw(sourceOf(draw.files), { verifyRound, known })
      expect(report?.faults).toEqual([])
      expect(report?.own).toMatchObject({ state: 'standing', rank: rank + 1, of: ranking.count })
      const held = allocation.heldBy(entry)
      const offer = held !== undefined ? 'held' : allocation.wasOffered(entry) ? 'returned' : undefined
      expect(report?.own?.offer).toBe(offer)
      if (offer === undefined) expect(report?.own?.ahead).toBe(ahead)
      if (!allocation.wasOffered(entry)) ahead += 1
    }
  })

  it('lists the winners with their ranks, and counts who holds, waits and gave back', async () => {
    const report = await reportDraw(sourceOf(draw.files), { verifyRound, known: {} })
    const { offers = 0, waiting, winners = '' } = report?.result ?? {}
    const rows = winners.trim().split('\n').slice(1)
    expect(rows).toHaveLength(offers)
    expect(offers).toBe(draw.made.flat().length)
    const [first] = draw.made.flat()
    expect(rows[0]).toContain(hexOf(idOf(draw.records.list, first?.entry ?? 0)))
    expect(waiting).toBe((report?.entries ?? 0) - new Set(draw.made.flat().map(({ entry }) => entry)).size)
  })

  it('takes a new entry for pending while entries are open, and for none in a sale without a draw', async () => {
    const files = new Map(draw.files)
    const [head = ''] = draw.heads
    const count = Number(payloadIn(head)?.count)
    files.set('heads.txt', fileOfLines([head]))
    files.delete('beacon.json')
    const later = draw.receiptOf(draw.records.list.count - 1)
    const receipts = [{ at: expect.any(Number) }]
    const reportAt = (now?: number) => reportDraw(sourceOf(files), { known: { receipts: [later] }, now })
    // The records of the next head are there before it.
    expect(await reportAt()).toMatchObject({ faults: [], state: 'open', isUnfinished: true, receipts })
    expect((await reportAt())?.receipts[0]?.fault).toBeUndefined()
    const late = await reportAt(draw.plan.rules.closesAt + 600_000)
    expect(late).toMatchObject({ faults: [], state: 'void', receipts })
    expect(late?.receipts[0]?.fault).toBeUndefined()
    files.set('tiles/0.bin', (files.get('tiles/0.bin') ?? new Uint8Array()).subarray(0, 64 * count))
    files.delete('tiles/roots.bin')
    expect(await reportAt()).toMatchObject({ faults: [{ fault: 'tile-roots-wrong' }] })
    expect(await reportDraw(sourceOf(new Map()), { known: {} })).toBeUndefined()
    expect(await reportDraw(sourceOf(new Map()), { known: { receipts: [later] } })).toMatchObject({
      faults: [{ fault: 'rules-unreadable' }],
    })
  })
})

describe('an entry on the page of its sale', () => {
  const times = {
    opensAt: 100_000,
    closesAt: 200_000,
    drawnAt: 260_000,
    units: 10,
    mostInGroup: 1,
    hasVariants: false,
  }
  const entry: EntryView = { state: 'entered', entrants: 50 }
  const at = (now: number, view?: EntryView, offers?: number) =>
    entryStageOf(view, times, offers === undefined ? undefined : { steps: 1, offers }, now)

  it('goes from the countdown over the list to what came of it', () => {
    expect(at(99_999)).toEqual({ kind: 'before' })
    expect(at(100_000)).toEqual({ kind: 'open' })
    expect(at(150_000, { ...entry, state: 'left' })).toEqual({ kind: 'open' })
    expect(at(150_000, entry)).toEqual({ kind: 'entered' })
    expect(at(200_000, { ...entry, state: 'left' })).toEqual({ kind: 'closed' })
    expect(at(200_000, entry)).toEqual({ kind: 'awaited' })
    const won = { ...entry, place: { rank: 3, of: 50 }, offer: { until: 400_000 } }
    expect(at(300_000, won, 10)).toEqual({ kind: 'won', until: 400_000 })
    expect(at(400_000, won, 10)).toEqual({ kind: 'over' })
  })

  it('is void for every reader from the close on, once the published list is known to be so', () => {
    const stageOf = (now: number, view?: EntryView) => entryStageOf(view, { ...times, isVoid: true }, undefined, now)
    expect(stageOf(150_000, entry)).toEqual({ kind: 'entered' })
    for (const view of [entry, { ...entry, state: 'left' } as const, undefined])
      expect(stageOf(260_000, view)).toEqual({ kind: 'void' })
    const won = { ...entry, place: { rank: 3, of: 50 }, offer: { until: 400_000 } }
    expect(stageOf(300_000, won), 'the list in the caches is behind').toEqual({ kind: 'won', until: 400_000 })
    expect(nextAllocationLookMs(stageOf(260_000, entry), times, 260_000)).toBe(60_000)
    const heads = new TextDecoder().decode(draw.files.get('heads.txt'))
    const { closesAt } = draw.plan.rules
    expect(lacksClosingHead(heads, closesAt)).toBe(false)
    expect(lacksClosingHead(heads, closesAt + 86_400_000)).toBe(true)
    for (const unknown of [undefined, '', 'x\n']) expect(lacksClosingHead(unknown, closesAt)).toBeUndefined()
  })

  it('moves up on standby as units come back, and says no place for groups and choices', () => {
    const waiting = { ...entry, place: { rank: 14, of: 50 } }
    expect(at(300_000, waiting)).toEqual({ kind: 'standby', rank: 14, of: 50, ahead: 3 })
    expect(at(300_000, waiting, 13)).toEqual({ kind: 'standby', rank: 14, of: 50, ahead: 0 })
    for (const change of [{ mostInGroup: 3 }, { hasVariants: true }]) {
      const stageOf = (view: EntryView) => entryStageOf(view, { ...times, ...change }, undefined, 300_000)
      expect(stageOf(waiting)).toMatchObject({ kind: 'standby', ahead: undefined })
      expect(stageOf({ ...waiting, place: { rank: 14, of: 50, offered: true } })).toEqual({ kind: 'over' })
    }
  })

  it('is on a standby list with every rank before it that has had no offer', () => {
    const stageOf = (offers: number) =>
      entryStageOf({ ...entry, place: { rank: 4, of: 50 } }, { ...times, units: 0 }, { steps: 1, offers }, 300_000)
    const over = { ...times, units: 0, isListOver: true }
    expect(entryStageOf(entry, over, undefined, 900_000), 'over without ranks').toEqual({ kind: 'void' })
    expect(stageOf(0)).toMatchObject({ kind: 'standby', ahead: 3 })
    expect(stageOf(3)).toMatchObject({ kind: 'standby', ahead: 0 })
    expect(nextAllocationLookMs(stageOf(0), times, 300_000)).toBe(60_000)
    expect(nextAllocationLookMs(stageOf(1), times, 300_000)).toBe(15_000)
  })

  it('looks at the published files only around known times, at most once in five seconds', () => {
    const look = (now: number, view?: EntryView) => nextAllocationLookMs(at(now, view), times, now)
    expect(look(150_000, entry)).toBeUndefined()
    expect(look(200_000, entry)).toBe(60_000)
    expect(look(260_000, entry)).toBe(5000)
    expect(look(900_000, entry)).toBe(60_000)
    expect(look(300_000, { ...entry, place: { rank: 14, of: 50 } })).toBe(60_000)
  })

  it.each([
    [0, 10, undefined],
    [10, 0, undefined],
    [10, 10, 'all'],
    [1001, 1000, { percent: 99 }],
    [30, 10, { percent: 33 }],
    [100, 10, { percent: 10 }],
    [1200, 100, { n: 12 }],
    [1_000_000, 10, { n: 100_000 }],
  ] as const)('has a chance: of %i entrants %i win', (entrants, units, chance) => {
    expect(chanceOfEntry(entrants, units)).toEqual(chance)
  })

  it('reads what the shop answers, and the published allocation', () => {
    const view = {
      ...{
        state: 'entered',
        receipt: 'x',
        choices: ['a'],
        group: 'friends',
        tries: 2,
        entrants: 5,
        entrantsAt: 6,
      },
      ...{ place: { rank: 1, of: 5, offered: true }, offer: { variant: 'a', until: 7 } },
    }
    expect(readEntry(view)).toEqual(view)
    expect(readEntry({ state: 'none', entrants: 0 })).toEqual({ state: 'none', entrants: 0 })
    expect(readEntry({ state: 'gone', entrants: 0 })).toBeUndefined()
    const text = new TextDecoder().decode(draw.files.get('allocation.txt'))
    expect(allocatedIn(text)).toMatchObject({ steps: draw.steps.length, offers: draw.made.flat().length })
    expect(allocatedIn('x\n')).toEqual({ steps: 1, offers: 0 })
  })
})
