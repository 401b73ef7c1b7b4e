/** The steps by which a sale is archived; archive.soak.ts plays them through scheduled runs. */

import { beforeEach, describe, expect, it } from 'vitest'
import { markArchived, removeMarked } from '../../../../functions/repair/jobs/archive.ts'
import { readData } from '../../../redis/replayed.ts'
import { raw, shopperIdOf } from '../../../redis/support.ts'
import { phone } from '../../../world/stock-record.ts'
import { useWorld, world } from '../../../world/world.ts'

const hour = 3_600_000
const week = 7 * 24 * hour

const rig = useWorld()
beforeEach(() => rig.open())

const keys = async () => {
  const found = await raw(rig.redis, 'KEYS', `*${phone}*`)
  return Array.isArray(found) ? found.length : 0
}
const mark = () => markArchived({ ...rig.ports, deadline: Infinity }, phone)

async function sellAndPay(): Promise<void> {
  for (const orderId of await rig.sell(2)) await rig.pay(orderId)
}

describe('archiving a sale', () => {
  it('removes its keys a minute after it was marked, when no call from before is at work', async () => {
    await sellAndPay()
    rig.clock.now += week + 5 * hour
    expect(await mark()).toBe(true)
    const marked = await rig.sale()
    const before = await keys()
    for (const ms of [0, 59_999]) {
      rig.clock.now = (marked.archivedAt ?? 0) + ms
      expect(await removeMarked(rig.ports, marked)).toBe(false)
    }
    expect(await keys()).toBe(before)
    rig.clock.now += 1
    expect(await removeMarked(rig.ports, marked)).toBe(true)
    expect(await keys()).toBe(0)
    expect(await mark(), 'once only').toBe(false)
  })

  it('removes nothing as long as an option fails to note what the sale gives back', async () => {
    await sellAndPay()
    rig.clock.now += week + 5 * hour
    expect(await mark()).toBe(true)
    rig.clock.now += 60_000
    const marked = await rig.sale()
    const before = await keys()
    const fails = () => Promise.reject(new Error('not noted'))
    await expect(removeMarked(rig.ports, marked, fails)).rejects.toThrow('not noted')
    expect(await keys()).toBe(before)
    expect(await removeMarked(rig.ports, marked)).toBe(true)
  })

  it('leaves nothing of a shopper in Redis and on the site, so an erasure needs the table alone', async () => {
    await sellAndPay()
    const ann = shopperIdOf(1)
    const redis = async () => JSON.stringify(await readData(rig.redis))
    expect(await redis()).toContain(ann)
    rig.clock.now += week + 5 * hour
    expect(await mark()).toBe(true)
    rig.clock.now += 60_000
    expect(await removeMarked(rig.ports, await rig.sale())).toBe(true)
    const erase = () => rig.ask('POST', '/people/erase', { shopperId: ann })
    expect((await erase()).body.kept).toMatchObject([{ part: 'orders', reason: 'booking', count: 2 }])
    for (const place of [await redis(), rig.allBytes(), JSON.stringify(rig.queue.messages)])
      expect(place).not.toContain(`${ann}"`)
  })

  it('waits until the sale was over for a week', async () => {
    await sellAndPay()
    rig.clock.now += week
    expect(await mark()).toBe(false)
    expect((await rig.sale()).archivedAt).toBeUndefined()
  })

  it('waits while an order is not paid for, or units are booked that the table does not have (I4)', async () => {
    await rig.sell(1)
    rig.clock.now += week + 5 * hour
    expect(await mark()).toBe(false)
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open()
    await rig.reserve(1)
    rig.clock.now += week + 5 * hour
    expect(await mark()).toBe(false)
  })
})
