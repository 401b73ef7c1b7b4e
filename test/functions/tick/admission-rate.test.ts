/** The rate of admissions follows how long the databases of a stock take (R8). */
import { beforeEach, describe, expect, it } from 'vitest'
import { slowReadMs } from '../../../core/gate/admission-rate.ts'
import { tick } from '../../../functions/tick/tick.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { readAdmissions } from '../../../redis/gate/replenish.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { useRedis } from '../../redis/test-store.ts'
import { phone } from '../../world/stock-record.ts'
import { type World, world } from '../../world/world.ts'

const server = useRedis()

let rig: World
/** How long a read of the stock with that key takes now, ms, or why it fails. */
let readMs: (key: string) => number | Error
let scripts: string[]

async function openRig(databases: number, change: Record<string, unknown>) {
  rig = await world({ redis: server, databases: databases })
  readMs = () => 5
  scripts = []
  rig.stock.before('hmget:stock', ([, key = '']) => {
    const took = readMs(key)
    if (took instanceof Error) throw took
    rig.clock.now += took
  })
  rig.gate.before('replenish', () => scripts.push('replenish'))
  await rig.open({ admitPerSecond: 1000, ...change })
}

const rate = async () => (await readAdmissions(server, phone))?.rate
/** The rates that a run of so many seconds publishes. */
async function ratesOf(seconds: number): Promise<(number | undefined)[]> {
  const rates: (number | undefined)[] = []
  const remove = rig.gate.after('replenish', async () => void rates.push(await rate()))
  await tick(rig.ports, rig.clock.now + seconds * 1000)
  remove()
  return rates
}
const unavailable = new RedisUnavailable('no answer')

describe('the rate of a running sale (R8)', () => {
  beforeEach(() => openRig(1, {}))

  it('is the setting from the start, and stays while the stock answers in time', async () => {
    expect(await rate()).toBe(1000)
    readMs = () => slowReadMs
    expect(new Set(await ratesOf(10))).toEqual(new Set([1000]))
  })

  it('falls while reads are slow, rises when they are not, and costs no call of its own', async () => {
    await ratesOf(2)
    readMs = () => 2 * slowReadMs
    scripts = []
    const falling = await ratesOf(4)
    expect(falling, 'also the first look of another run').toEqual([500, 250, 125, 62])
    expect(scripts).toHaveLength(falling.length)
    readMs = () => 5
    expect((await ratesOf(4)).slice(0, 4)).toEqual([112, 162, 212, 262])
    await ratesOf(30)
    expect(await rate()).toBe(1000)
  })

  it('falls while the stock does not answer, and every failure is still one', async () => {
    await ratesOf(1)
    let looks = 0
    readMs = () => {
      looks += 1
      return looks === 1 ? 5 : unavailable
    }
    const rates = await ratesOf(4)
    expect(rates).toEqual([1000, 100, 10, 10])
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
    expect(await readAdmissions(server, phone), 'and no count is forgotten').toMatchObject({ total: 10 })
  })

  it('of a changed setting is never above it, and rises to it by and by', async () => {
    await ratesOf(2)
    await rig.ask('PATCH', '/sales/phone', { admitPerSecond: 40 })
    expect(await rate()).toBe(40)
    await rig.ask('PATCH', '/sales/phone', { admitPerSecond: 400 })
    expect(await rate()).toBe(40)
    await ratesOf(22)
    expect(await rate()).toBe(400)
  })

  it('is shown beside the setting', async () => {
    const { body } = await rig.ask('GET', '/sales/phone/live')
    expect(body).toMatchObject({ admissions: { rate: 1000 }, sale: { admitPerSecond: 1000 } })
  })
})

describe('the rate of a sale over several databases (R8, S14)', () => {
  const firstShard = stockKeys(phone, 0).stock
  beforeEach(() => openRig(2, { shards: 2, stock: 12 }))

  it('does not follow a database that is lost: the others sell on', async () => {
    await ratesOf(2)
    readMs = (key) => (key === firstShard ? unavailable : 5)
    await ratesOf(5)
    expect(await rate()).toBe(1000)
  })

  it('follows the slowest of those that answer', async () => {
    await ratesOf(2)
    readMs = (key) => (key === firstShard ? 5 : 3 * slowReadMs)
    await ratesOf(5)
    expect(await rate()).toBeLessThan(500)
  })
})
