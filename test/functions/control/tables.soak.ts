/** A table of 200,000 orders: every order once, each part below the limit of an answer, in bounded memory. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { useRedis } from '../../redis/test-store.ts'
import { world } from '../../world/world.ts'
import { partsOf, withManyOrders } from './table-parts.ts'

const server = useRedis()
const count = 200_000

/** An answer of a function, in bytes. */
const answerLimit = 6_291_556

/** A part of 5 MB as lines and as text, and the ids that this test keeps. The whole table has over 60 MB. */
const maxBytes = 40_000_000

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

it('exports 200,000 orders in parts, and holds one part at a time', async () => {
  const rig = await world({ redis: server })
  await rig.open()
  rig.ports.table = withManyOrders(rig.ports.table, count)
  const held: number[] = []
  collect()
  const before = process.memoryUsage().heapUsed
  const parts = await partsOf(rig, '/sales/phone/orders.csv', () => {
    collect()
    held.push(process.memoryUsage().heapUsed - before)
  })
  const ids = parts.flatMap((part) => part.ids)
  expect(ids).toHaveLength(count)
  expect(new Set(ids).size).toBe(count)
  const largest = Math.max(...parts.map(({ bytes }) => bytes))
  console.log(`${parts.length} parts, the largest ${largest} bytes, at most ${Math.max(...held)} bytes of heap`)
  expect(largest).toBeLessThan(answerLimit)
  expect(Math.max(...held)).toBeLessThan(maxBytes)
})
