/** Options in the scheduled run: each looks at running sales, and none holds up another. */
import { expect, it } from 'vitest'
import { tick } from '../../../functions/tick/tick.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

it('looks at each running sale for every option, and logs once that one fails', async () => {
  await rig.open()
  const inspected: string[] = []
  const failing = { part: 'first', inspect: () => Promise.reject(new Error('lost')) }
  const second = { part: 'second', inspect: async ({ saleId }: { saleId: string }) => void inspected.push(saleId) }
  await tick(rig.ports, rig.clock.now + 2500, { inspections: [failing, second] })
  expect(inspected).toHaveLength(3)
  expect(new Set(inspected).size).toBe(1)
  expect(rig.telemetry.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ facts: { part: 'first' } }])
})
