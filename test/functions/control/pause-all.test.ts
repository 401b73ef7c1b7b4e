/** The switch that pauses every sale (G2, G3). */
import { beforeEach, describe, expect, it } from 'vitest'
import { saleIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { type World, world } from '../../world/world.ts'

const server = useRedis()

let rig: World
beforeEach(async () => {
  rig = await world({ redis: server })
})

const pauseAll = () => rig.ask('POST', '/pause', {})
const flagOf = async (saleId: string) => (await rig.sales.find(saleIdOf(saleId)))?.sale.flag

async function aSaleOf(saleId: string, change: object = {}): Promise<void> {
  expect(await rig.create({ saleId, ...change })).toMatchObject({ status: 201 })
  expect(await rig.ask('POST', `/sales/${saleId}/warm`, {})).toMatchObject({ status: 200 })
}

async function started(saleId: string, change: object = {}): Promise<void> {
  await aSaleOf(saleId, change)
  expect(await rig.ask('POST', `/sales/${saleId}/start`, {})).toMatchObject({ status: 200 })
}

describe('pausing every sale', () => {
  it('pauses open ones and those that would open, on record, and leaves the others as they are', async () => {
    const { now } = rig.clock
    await started('open-one', { startsAt: now })
    await started('armed-one', { startsAt: now + 600_000, endsAt: now + 900_000 })
    await aSaleOf('ready-one')
    await started('closed-one')
    await rig.ask('POST', '/sales/closed-one/close', {})
    await started('ended-one', { startsAt: now, endsAt: rig.clock.now + 60_000 })
    rig.clock.now += 60_001
    const answer = await pauseAll()
    expect(answer.status).toBe(200)
    expect(Object(answer.body)).toEqual({
      paused: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === 'armed-one,open-one'),
      failed: [],
    })
    const flags = ['open-one', 'armed-one', 'ready-one', 'closed-one', 'ended-one'].map(flagOf)
    expect(await Promise.all(flags)).toEqual(['paused', 'paused', 'off', 'closed', 'on'])
    expect(await rig.facts(saleIdOf('open-one'))).toMatchObject({ flag: 'paused' })
    expect(rig.sales.audit.filter(({ what }) => what === 'pause')).toHaveLength(2)
  })

  it('changes nothing the second time', async () => {
    await started('open-one')
    await pauseAll()
    const before = rig.sales.audit.length
    expect((await pauseAll()).body).toEqual({ paused: [], failed: [] })
    expect(rig.sales.audit).toHaveLength(before)
  })

  it('names a sale that it could not pause, and pauses the others', async () => {
    await started('open-one')
    await started('broken-one')
    const { save } = rig.sales
    rig.ports.sales = {
      ...rig.sales,
      save: async (seen, next, ...rest) => {
        if (next.sale.saleId === 'broken-one') throw new Error('the table is unavailable')
        return save(seen, next, ...rest)
      },
    }
    expect((await pauseAll()).body).toEqual({ paused: ['open-one'], failed: ['broken-one'] })
    expect([await flagOf('open-one'), await flagOf('broken-one')]).toEqual(['paused', 'on'])
  })

  it('is a call without options', async () => {
    expect(await rig.ask('POST', '/pause', { sales: [] })).toMatchObject({ status: 400 })
  })
})
