/** No id is skipped for ever, whatever happens to the runs that process them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueNow, isCareful, progressAt } from '../../../functions/repair/visits.ts'
import type { Progress } from '../../../functions/table/sale/reconcile-progress.ts'

const noteEvery = 100

/** One run over `ids` that processes at most `budget` of them, and is interrupted at the first that `cutsOff`. */
function runOver(
  ids: readonly string[],
  before: Progress,
  { budget, cutsOff }: { budget: number; cutsOff: (id: string, at: number) => boolean },
): { seen: string[]; progress: Progress } {
  const due = dueNow(ids, before)
  const noteAt = isCareful(before) ? 1 : noteEvery
  let progress: Progress = { ...before, begun: before.begun + 1 }
  const seen: string[] = []
  for (const [at, one] of due.slice(0, budget).entries()) {
    if (cutsOff(one.id, at)) return { seen, progress }
    seen.push(one.id)
    if (seen.length % noteAt === 0) progress = progressAt(one)
  }
  const last = due[seen.length - 1]
  return { seen, progress: last === undefined ? { ...progress, begun: 0 } : progressAt(last) }
}

const start: Progress = { begun: 0, round: 0 }
const idOf = (number: number) => `sale-${number}`
const among = (count: number) => Array.from({ length: count }, (_, number) => idOf(number))

describe('the turns of ids', () => {
  it('come to each within a few runs, although others come and go and runs are cut off', () => {
    const change = fc.record({
      budget: fc.integer({ min: 40, max: 500 }),
      cutOffAt: fc.option(fc.nat(400), { freq: 2 }),
      added: fc.array(
        fc.nat(999).map((number) => `new-${number}`),
        { maxLength: 20 },
      ),
      removed: fc.array(fc.nat(399), { maxLength: 5 }),
    })
    const runs = fc.array(change, { minLength: 60, maxLength: 60 })
    fc.assert(
      fc.property(runs, (all) => {
        const ids = new Set(among(400))
        const seen = new Set<string>()
        let progress = start
        let cutOff = 0
        for (const { budget, cutOffAt, added, removed } of all) {
          for (const id of added) ids.add(id)
          for (const number of removed) ids.delete(idOf(number))
          // At most two of three runs are interrupted.
          const isCut = cutOffAt !== null && cutOff < 2
          cutOff = isCut ? cutOff + 1 : 0
          const cutsOff = (_: string, at: number) => isCut && at >= (cutOffAt ?? 0)
          const done = runOver([...ids], progress, { budget, cutsOff })
          for (const id of done.seen) seen.add(id)
          progress = done.progress
        }
        const left = [...ids].filter((id) => id.startsWith('sale-') && !seen.has(id))
        expect(left).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('come to each but the ones that cut off every run that comes to them', () => {
    const bad = fc.uniqueArray(fc.nat(399).map(idOf), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(bad, fc.integer({ min: 50, max: 500 }), (cutting, budget) => {
        const seen = new Set<string>()
        let progress = start
        for (let run = 0; run < 100; run += 1) {
          const done = runOver(among(400), progress, { budget, cutsOff: (id) => cutting.includes(id) })
          for (const id of done.seen) seen.add(id)
          progress = done.progress
        }
        expect(
          among(400)
            .filter((id) => !seen.has(id))
            .toSorted(),
        ).toEqual(cutting.toSorted())
      }),
      { numRuns: 100 },
    )
  })

  it('have a number of their round, which is one more each time that an id is due', () => {
    let progress = start
    const rounds = new Map<string, number[]>()
    for (let run = 0; run < 12; run += 1) {
      const due = dueNow(among(7), progress).slice(0, 3)
      for (const { id, round } of due) rounds.set(id, [...(rounds.get(id) ?? []), round])
      const last = due.at(-1)
      if (last !== undefined) progress = progressAt(last)
    }
    for (const numbers of rounds.values()) expect(numbers).toEqual(numbers.map((_, at) => at))
    expect(rounds.size).toBe(7)
  })
})
