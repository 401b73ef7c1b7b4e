/** Options in the scheduled run: each inspects running sales, and none delays another. */
import { expect, it } from 'vitest'
import { tick } from '../../../functions/tick/tick.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

it('inspects each running sale for every option, and logs the failure of one once', async () => {
  await rig.open()
  const inspected: string[] = []
  const failing = { part: 'first', inspect: () => Promise.reject(new Error('lost')) }
  const second = { part: 'second', inspect: async ({ saleId }: { saleId: string }) => void inspected.push(saleId) }
  await tick(rig.ports, rig.clock.now + 2500, { inspections: [failing, second] })
  expect(inspected).toHaveLength(3)
  expect(new Set(inspected).size).toBe(1)
  expect(rig.telemetry.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ facts: { part: 'first' } }])
})
