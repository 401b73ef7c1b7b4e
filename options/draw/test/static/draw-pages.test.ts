/** The logic of the pages of a draw: the report of a check, and the stages of a shopper's entry. */
import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { openRandom } from '../../../../proof/simulation/engine/random.ts'
import { checkDraw } from '../../core/check-draw.ts'
import { idOf } from '../../core/list.ts'
import type { EntryView } from '../../core/operations.ts'
import { reportDraw } from '../../static/lib/draw-report.ts'
import { entryStageOf, nextAllocationPollMs, readAllocation, readEntry } from '../../static/lib/entry-state.ts'
import { randomDraw, sourceOf, verifyTestRound as verifyRound } from '../core/published-draw.ts'

const variants = [
  { id: 'v1', units: 9 },
  { id: 'v2', units: 4 },
]
const draw = randomDraw(openRandom(5), 60, { variants })
const receiptOf = (entry: number) => {
  const id = bytesToHex(idOf(draw.list, entry))
  return (
    draw.kept.receipts.find((line) => String(Buffer.from(line.split('.')[1] ?? '', 'base64url')).includes(id)) ?? ''
  )
}

describe('the report of a draw', () => {
  it('reports the rank of each entry by its receipt alone', async () => {
    const { result } = await checkDraw(sourceOf(draw.files), { verifyRound })
    if (result === undefined) throw new Error('the draw has no result')
    const { queues, allocation } = result
    for (const queue of queues) {
      for (const [rank, entry] of queue.entries()) {
        const report = await reportDraw(sourceOf(draw.files), { verifyRound, known: { receipts: [receiptOf(entry)] } })
        expect(report?.faults).toEqual([])
        expect(report?.own).toMatchObject({ state: 'entered', rank: rank + 1, of: queue.length })
        const holds = allocation.holds.get(entry)
        expect(report?.own?.offer).toBe(holds === undefined ? undefined : holds ? 'held' : 'returned')
      }
    }
  })

  it('lists the winners with their ranks, and counts who holds a unit, waits, or returned one', async () => {
    const report = await reportDraw(sourceOf(draw.files), { verifyRound, known: {} })
    const { offers = 0, waiting, winners = '' } = report?.result ?? {}
    const rows = winners.trim().split('\r\n').slice(1)
    expect(rows).toHaveLength(offers)
    expect(rows[0]).toMatch(
      new RegExp(`^1,${bytesToHex(idOf(draw.list, draw.queues[0]?.[0] ?? 0))},v1,(?:held|returned)$`),
    )
    expect(waiting).toBe((report?.entries ?? 0) - offers)
  })

  it('reports a new entry as pending while entries are open, and nothing in a sale without a draw', async () => {
    const files = new Map([...draw.files].filter(([path]) => path === 'draw.json'))
    const [receipt = ''] = draw.kept.receipts
    const reportAt = (now?: number) => reportDraw(sourceOf(files), { verifyRound, known: { receipts: [receipt] }, now })
    const pending = { receipts: [undefined], own: { state: 'unlisted' } }
    expect(await reportAt()).toMatchObject({ faults: [], state: 'open', ...pending })
    const late = await reportAt(draw.plan.rules.closesAt + 600_000)
    expect(late).toMatchObject({ faults: [], state: 'void', receipts: [undefined] })
    expect(await reportDraw(sourceOf(new Map()), { verifyRound, known: {} })).toBeUndefined()
    expect(await reportDraw(sourceOf(new Map()), { verifyRound, known: { receipts: [receipt] } })).toMatchObject({
      faults: [{ fault: 'rules-unreadable' }],
    })
  })
})

describe('an entry on the page of its sale', () => {
  const times = {
    opensAt: 100_000,
    closesAt: 200_000,
    drawnAt: 260_000,
    variants: [],
  }
  const entry: EntryView = { state: 'entered' }
  const at = (now: number, view?: EntryView, offers?: number) =>
    entryStageOf(view, times, offers === undefined ? undefined : { steps: 1, offered: [offers] }, now)

  it('goes from the countdown and the list to the result', () => {
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

  it('is void for every reader from the close on, once the list is known to be missing', () => {
    const stageOf = (now: number, view?: EntryView) => entryStageOf(view, { ...times, isVoid: true }, undefined, now)
    expect(stageOf(150_000, entry)).toEqual({ kind: 'entered' })
    for (const view of [entry, { ...entry, state: 'left' } as const, undefined])
      expect(stageOf(260_000, view)).toEqual({ kind: 'void' })
    const won = { ...entry, place: { rank: 3, of: 50 }, offer: { until: 400_000 } }
    expect(stageOf(300_000, won), 'the list in the caches is behind').toEqual({ kind: 'won', until: 400_000 })
    expect(nextAllocationPollMs(stageOf(260_000, entry), times, 260_000)).toBe(60_000)
  })

  it('moves up on standby as units of its variant come back', () => {
    const waiting = { ...entry, place: { rank: 14, of: 50 } }
    expect(at(300_000, waiting, 10)).toEqual({ kind: 'standby', rank: 14, of: 50, ahead: 3 })
    expect(at(300_000, waiting, 13)).toEqual({ kind: 'standby', rank: 14, of: 50, ahead: 0 })
    expect(at(300_000, { ...waiting, place: { rank: 14, of: 50, offered: true } }, 14)).toEqual({ kind: 'over' })
    const ofBlue = (offered: number[]) =>
      entryStageOf({ ...waiting, variant: 'b' }, { ...times, variants: ['a', 'b'] }, { steps: 1, offered }, 300_000)
    expect(ofBlue([20, 10])).toMatchObject({ kind: 'standby', ahead: 3 })
    expect(nextAllocationPollMs(ofBlue([20, 10]), times, 300_000)).toBe(60_000)
    expect(nextAllocationPollMs(ofBlue([20, 11]), times, 300_000)).toBe(15_000)
  })

  it('polls the published files only around known times, at most once in five seconds', () => {
    const look = (now: number, view?: EntryView) => nextAllocationPollMs(at(now, view), times, now)
    expect(look(150_000, entry)).toBeUndefined()
    expect(look(200_000, entry)).toBe(60_000)
    expect(look(260_000, entry)).toBe(5000)
    expect(look(900_000, entry)).toBe(60_000)
    expect(look(300_000, { ...entry, place: { rank: 14, of: 50 } })).toBe(60_000)
  })

  it('reads the shop’s answer, and the published allocation', () => {
    const view = {
      state: 'entered',
      receipt: 'x',
      variant: 'a',
      place: { rank: 1, of: 5, offered: true },
      offer: { until: 7 },
    }
    expect(readEntry(view)).toEqual(view)
    expect(readEntry({ state: 'none' })).toEqual({ state: 'none' })
    expect(readEntry({ state: 'gone' })).toBeUndefined()
    const text = new TextDecoder().decode(draw.files.get('allocation.txt'))
    const { steps, offered } = readAllocation(text)
    expect(steps).toBe(draw.kept.steps.length)
    expect(offered).toHaveLength(2)
    expect(readAllocation('x\n')).toEqual({ steps: 1, offered: [] })
  })
})
