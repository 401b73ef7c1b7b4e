/** The gate hears of decided clicks while shoppers wait for their answer, so it must not keep them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { redisAdmissionDesk } from '../../../functions/adapters/admission-desk.redis.ts'
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

/** A gate that answers when it is told to. */
function rig() {
  const sent: { key: string | undefined; args: string[]; answer: (reply: unknown) => void }[] = []
  const gate: Commander = {
    exec: (command) =>
      new Promise((resolve) => {
        const [, , , key, ...args] = command.map(String)
        sent.push({ key, args, answer: resolve })
      }),
  }
  const desk = redisAdmissionDesk(gate, () => now)
  return { desk, sent }
}

describe('the desk that hears of decided clicks', () => {
  it('tells those of one moment together, each sale with the lowest count that was seen (G5, G7)', async () => {
    const { desk, sent } = rig()
    const told = Promise.all([
      desk.redeem(saleId, second, 7),
      desk.redeem(other, second, undefined),
      desk.redeem(saleId, second - 1, 6),
    ])
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.map(({ key }) => key)).toEqual([`gate:{${saleId}}:admissions`, `gate:{${other}}:admissions`])
    expect(sent.map(({ args }) => args)).toEqual([
      [String(now), `${second} ${second - 1}`, '6'],
      [String(now), String(second), ''],
    ])
    for (const { answer } of sent) answer([1])
    await told
  })

  it('gives up on a gate that is dark long before a shopper would notice (I6)', async () => {
    const { desk } = rig()
    let outcome = 'waits'
    desk.redeem(saleId, second, 7).catch(() => {
      outcome = 'gave up'
    })
    await vi.advanceTimersByTimeAsync(149)
    expect(outcome).toBe('waits')
    await vi.advanceTimersByTimeAsync(1)
    expect(outcome).toBe('gave up')
  })
})
