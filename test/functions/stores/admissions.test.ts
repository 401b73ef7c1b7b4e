/** Reporting decided clicks to the gate while shoppers wait for their answer. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { redisAdmissionCompleter } from '../../../functions/stores/admissions.redis.ts'
import type { Commander } from '../../../redis/command.ts'
import { aSale } from '../../redis/support.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const { saleId } = aSale()
const other = aSale().saleId
const now = 1_800_000_000_000
const second = now / 1000

/** A gate whose replies the test controls. */
function rig() {
  const sent: { key: string | undefined; args: string[]; answer: (reply: unknown) => void }[] = []
  const gate: Commander = {
    exec: (command) =>
      new Promise((resolve) => {
        const [, , , key, ...args] = command.map(String)
        sent.push({ key, args, answer: resolve })
      }),
  }
  const completer = redisAdmissionCompleter(gate, () => now)
  return { completer, sent }
}

describe('completing admissions', () => {
  it('sends the clicks of one turn in one batch, each sale with the latest stock seen (G5, G7)', async () => {
    const { completer, sent } = rig()
    const completed = Promise.all([
      completer.complete(saleId, [{ second, booked: 9, stockRevision: 1 }]),
      completer.complete(other, [{ second }]),
      completer.complete(saleId, [
        { second: second - 1, booked: 4, stockRevision: 2 },
        { second: second - 1, booked: 5, stockRevision: 2 },
      ]),
      completer.complete(saleId, [{ second: second - 1 }]),
    ])
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.map(({ key }) => key)).toEqual([`gate:{${saleId}}:admissions`, `gate:{${other}}:admissions`])
    const seconds = [second, second - 1, second - 1, second - 1].join(' ')
    expect(sent.map(({ args }) => args)).toEqual([
      [String(now), seconds, '5', '2'],
      [String(now), String(second), '', ''],
    ])
    for (const { answer } of sent) answer([1])
    await completed
  })
})
