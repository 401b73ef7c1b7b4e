/** Rules that no part keeps alone: clicks pass the gate over its real store, and the functions and the repair behind it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { slowReadMs } from '../../core/gate/admission-rate.ts'
import { tick } from '../../functions/tick/tick.ts'
import { gateKey } from '../../redis/keys.ts'
import { shopperIdOf } from '../redis/support.ts'
import { openGateOf } from '../world/gate.ts'
import { phone } from '../world/stock-record.ts'
import { useWorld } from '../world/world.ts'

const rig = useWorld()
let gate: Awaited<ReturnType<typeof openGateOf>>
/** The scripts and reads that the stock and the gate's store have done for requests. */
let seen: { reserve: number; factsOf: string[] }

beforeEach(async () => {
  gate = await openGateOf(rig)
  seen = { reserve: 0, factsOf: [] }
  // A function begins without the tag of the sale's facts, so its first call decides nothing.
  rig.stock.before('reserve', (command) => {
    if (command[6] !== '') seen.reserve += 1
  })
  rig.gate.before('hmget:gate', ([, key = '']) => void seen.factsOf.push(key))
})
afterEach(() => gate.stop())

const throttle = { perShopper: { limit: 1000, windowSeconds: 60 }, perIp: { limit: 1_000_000, windowSeconds: 60 } }
async function openSale(changes: object = {}): Promise<void> {
  await rig.open({ requirePass: 'off', spreadSeconds: 0, throttle, ...changes })
  seen = { reserve: 0, factsOf: [] }
}

/** The code of the answer, or its status where it has none. */
async function click(shopper: number, saleId: string = phone): Promise<unknown> {
  const startToken = (await rig.sale()).startToken
  const client = { shopperId: shopperIdOf(shopper), level: 0 }
  const { status, body } = await gate.send(client, 'POST', `/api/sales/${saleId}/orders`, { quantity: 1, startToken })
  return body.code ?? status
}

/** Moves the clock until the gate's memory of a sale is too old to use. */
const untilForgotten = () => {
  rig.clock.now += 1001
}

describe('the gate before the functions', () => {
  it('fills what memory and Redis miss from the table, and refuses what the table misses as well (B2)', async () => {
    await openSale()
    expect(await click(1)).toBe(202)
    await rig.loseGate()
    untilForgotten()
    expect(await click(2), 'memory and Redis miss it').toBe('unavailable')
    await tick(rig.ports, rig.clock.now + 2000)
    untilForgotten()
    expect(await click(2), 'read from the table, and put into Redis').toBe(202)
    expect(await click(3, 'no-such'), 'the table misses it').toBe('unknown-sale')
  })

  it('has every sale before its start, and lets a miss of a thousand clicks cost one read (B3)', async () => {
    await rig.create({ requirePass: 'off', throttle })
    await rig.act('warm')
    expect(await rig.facts(), 'warmed an hour before the start').toMatchObject({ flag: 'off' })
    const crowd = () => Promise.all(Array.from({ length: 1000 }, (_, shopper) => click(shopper)))
    seen.factsOf = []
    expect(new Set(await crowd())).toEqual(new Set(['not-started']))
    expect(seen.factsOf).toEqual([gateKey(phone)])

    await gate.stop()
    gate = await openGateOf(rig)
    await rig.loseGate()
    seen.factsOf = []
    expect(new Set(await crowd())).toEqual(new Set(['unavailable']))
    expect(seen.factsOf).toEqual([gateKey(phone)])
  })

  it('looks at the stock by a plain read, and calls the script only for who may still get a unit (L3)', async () => {
    const stock = 10
    await openSale({ stock, admissionRatio: 1 })
    const answers: unknown[] = []
    for (let shopper = 0; shopper < 300; shopper += 1) {
      answers.push(await click(shopper))
      rig.clock.now += 20
    }
    expect(answers.filter((code) => code === 202)).toHaveLength(stock)
    expect(new Set(answers)).toEqual(new Set([202, 'at-capacity', 'sold-out']))
    expect(answers.lastIndexOf('at-capacity')).toBeLessThan(200)
    expect(seen.reserve).toBe(stock)
    expect(seen.factsOf.length, 'a few in a second, however many clicks').toBeLessThanOrEqual(30)
  })

  it('lets fewer requests of a second in while Redis is slow, although units for all are left (N7)', async () => {
    await openSale({ stock: 1000, admitPerSecond: 40 })
    const inASecond = async (from: number) => {
      const before = seen.reserve
      for (let n = 0; n < 100; n += 1) {
        await click(from + n)
        rig.clock.now += 10
      }
      return seen.reserve - before
    }
    const usual = await inASecond(0)
    const remove = rig.stock.before('hmget:stock', () => {
      rig.clock.now += 4 * slowReadMs
    })
    await tick(rig.ports, rig.clock.now + 4000)
    const pressed = await inASecond(1000)
    remove()
    await tick(rig.ports, rig.clock.now + 25_000)
    const recovered = await inASecond(2000)
    // The initial grant adds a quarter of a second.
    expect(usual).toBeLessThanOrEqual(50)
    expect(pressed).toBeLessThanOrEqual(usual / 4)
    expect(pressed, 'the sale goes on').toBeGreaterThan(0)
    expect(recovered).toBeGreaterThan(3 * pressed)
    expect((await rig.stockRecord())?.booked).toBe(usual + pressed + recovered)
  })
})
