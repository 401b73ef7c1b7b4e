/** Options in the scheduled run: each looks at running sales, and none holds up another. */
import { expect, it } from 'vitest'
import { tick } from '../../../functions/tick/tick.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

it('looks at each running sale for every option, and logs once that one fails', async () => {
  await rig.open()
  const looks: string[] = []
  const failing = { part: 'first', look: () => Promise.reject(new Error('lost')) }
  const second = { part: 'second', look: async ({ saleId }: { saleId: string }) => void looks.push(saleId) }
  await tick(rig.ports, rig.clock.now + 2500, { looks: [failing, second] })
  expect(looks).toHaveLength(3)
  expect(new Set(looks).size).toBe(1)
  expect(rig.telemetry.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ facts: { part: 'first' } }])
})
