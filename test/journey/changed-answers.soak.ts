/**
 * How soon the crowd's answer changes, in 20 sales with the schedule: from the 202 of the last unit to the first `sold-out`,
 * and from the call of a pause to the first refusal. It prints both and asserts no time: those are of this machine.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { openSold, sellAll, sorts, untilRefused } from './changed-answers.ts'
import { ownStack } from './own-stack.ts'
import { control, eventually, pointerOf } from './support.ts'

const stack = await ownStack({ databases: 2 })
const [stock, rounds] = [12, [1, 2, 3, 4, 5]]

/** By what is measured, ms. */
const times = new Map<string, number[]>()
const note = (what: string, ms: number) => void times.set(what, [...(times.get(what) ?? []), ms])

afterAll(() => {
  for (const [what, all] of times) {
    const [least, ...more] = all.toSorted((a, b) => a - b)
    const median = [least, ...more][Math.floor(all.length / 2)]
    console.log(`${what}: ${least} / ${median} / ${more.at(-1)} ms (least, median, most of ${all.length})`)
  }
})

describe.each(sorts)('a sale %s with a %s stock', (...sort) => {
  it.each(rounds)('is sold out and paused everywhere, in round %d (G4, L6)', async () => {
    const sold = await openSold(stack, sort, stock)
    const { at } = await sellAll(stack, sold, stock)
    const ofPointer = async () => ((await pointerOf(stack, sold.saleId)).phase === 'sold-out' ? Date.now() : undefined)
    const [refused, shownAt] = await Promise.all([untilRefused(stack, sold, 'sold-out'), eventually(ofPointer)])
    note('last 202 to sold-out of a CloudFront Function', refused.atFunction - at)
    note('last 202 to sold-out of any part', refused.anywhere - at)
    note('last 202 to the pointer', shownAt - at)
    const calledAt = Date.now()
    const pausing = control(stack, `/sales/${sold.saleId}/pause`, {})
    const paused = await untilRefused(stack, sold, 'paused')
    await pausing
    note('call of a pause to the first refusal', paused.anywhere - calledAt)
    expect(paused.anywhere).toBeGreaterThan(refused.anywhere)
  })
})
