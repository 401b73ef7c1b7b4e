/**
 * How soon the crowd's answer changes, in 20 sales with the schedule: from the 202 of the last unit to the first `sold-out`,
 * and from the call of a pause to the first refusal. It prints both and asserts no time: those are of this machine.
 */
import { describe, expect, it } from 'vitest'
import { openSold, sellAll, sorts, untilRefused } from './changed-answers.ts'
import { ownStack } from './own-stack.ts'
import { control, eventually, pointerOf } from './support.ts'

const stack = await ownStack({ databases: 2 })
const [stock, rounds] = [12, 5]

const shown = (name: string, times: readonly number[]) => {
  const [least, ...rest] = times.toSorted((a, b) => a - b)
  const middle = [least, ...rest][Math.floor(times.length / 2)]
  return `${name}: ${least} / ${middle} / ${rest.at(-1)} ms (least, median, most of ${times.length})`
}

describe('the answer to the crowd', () => {
  it('changes in each of 20 sales, planned and at once, whole and split (G4, L6)', async () => {
    const [soldOut, ofGate, shownAt, paused]: [number[], number[], number[], number[]] = [[], [], [], []]
    for (const sort of Array.from({ length: rounds }, () => sorts).flat()) {
      const sold = await openSold(stack, sort, stock)
      const { at } = await sellAll(stack, sold, stock)
      const ofPointer = async () =>
        (await pointerOf(stack, sold.saleId)).phase === 'sold-out' ? Date.now() : undefined
      const [{ atFunction, anywhere }, pointerAt] = await Promise.all([
        untilRefused(stack, sold, 'sold-out'),
        eventually(ofPointer),
      ])
      soldOut.push(atFunction - at)
      ofGate.push(anywhere - at)
      shownAt.push(pointerAt - at)
      const other = await openSold(stack, sort, stock)
      const calledAt = Date.now()
      const pausing = control(stack, `/sales/${other.saleId}/pause`, {})
      const { anywhere: refusedAt } = await untilRefused(stack, other, 'paused')
      await pausing
      paused.push(refusedAt - calledAt)
    }
    console.log(
      [
        shown('last 202 to sold-out of a CloudFront Function', soldOut),
        shown('last 202 to sold-out of any part', ofGate),
        shown('last 202 to the pointer', shownAt),
        shown('call of a pause to the first refusal', paused),
      ].join('\n'),
    )
    expect(paused).toHaveLength(sorts.length * rounds)
  })
})
