/** Reporting decided clicks to the gate. */
import { expect, it } from 'vitest'
import { redisAdmissions } from '../../../../functions/entries/adapters/gate.redis.ts'
import type { Commander } from '../../../../redis/command.ts'
import { aSale } from '../../../redis/support.ts'

const { saleId } = aSale()
const now = 1_800_000_000_000
const second = now / 1000

it('completes the admissions of a batch in one call, with the latest stock seen (G5, G7)', async () => {
  const sent: unknown[] = []
  const gate: Commander = {
    async exec([, , , key, ...args]) {
      sent.push([key, args])
      return [1]
    },
  }
  await redisAdmissions(gate, () => now).complete(saleId, [
    { second, booked: 9, stockRevision: 1 },
    { second: second - 1, booked: 4, stockRevision: 2 },
    { second: second - 1, booked: 5, stockRevision: 2 },
    { second: second - 1 },
  ])
  const seconds = JSON.stringify([second, second - 1, second - 1, second - 1].map(String))
  expect(sent).toEqual([[`gate:{${saleId}}:admissions`, [String(now), seconds, '5', '2']]])
})
