/** A sale with variants survives each loss: every unit returns to its own variant (N1, P10). */

import { beforeEach, describe, expect, it } from 'vitest'
import { variantsSoldOut } from '../../../core/sale/variants.ts'
import { readDrift } from '../../../functions/recovery/stock/drift.ts'
import { deliveryMs } from '../../../functions/recovery/stock/held-back.ts'
import { replenishAdmissions } from '../../../functions/sales/admissions.ts'
import { repair } from '../../../functions/sales/repair-sale.ts'
import { publishRestocked, publishSoldOutVariants } from '../../../redis/gate/gate.ts'
import { gateKey, stockKeys } from '../../../redis/keys.ts'
import { raw } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { withTotals } from '../../world/wire.ts'
import { useWorld, world } from '../../world/world.ts'
import { repairsOf } from './repairs.ts'

const hour = 3_600_000

/** Four of S and six of M, two for each shopper. */
const variants = [
  { id: 's', name: 'Small', stock: 4 },
  { id: 'm', name: 'Medium', stock: 6 },
]

const rig = useWorld()
beforeEach(() => rig.open({ variants }))

const { recover: recoverNow, reconcileSale } = repairsOf(() => rig)
const reconcile = (full = false) => reconcileSale({ full })
/** Reads the units left and held back of each variant. */
const counters = async () => {
  const found = Object.entries((await rig.stockRecord())?.variants ?? {})
  return Object.fromEntries(found.map(([id, { left, heldBack }]) => [id, [left, heldBack]]))
}
const soldOutAtGate = async () => {
  const facts = await rig.facts()
  return facts === undefined ? undefined : variantsSoldOut(facts)
}

describe('the public pointer of a sale with variants', () => {
  it('says what is left of each, from the draft to the last unit and after a loss (N1, C6)', async () => {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.create({ variants })
    expect(rig.pointer()).toMatchObject({ remaining: 10, variants: { s: 4, m: 6 } })
    await rig.act('start', { now: true })
    await rig.buy(1, { quantity: 2, variant: 's' })
    await rig.ports.publisher.pointer(phone)
    expect(rig.pointer()).toMatchObject({ remaining: 8, variants: { s: 2, m: 6 } })
    await rig.loseStock()
    await rig.ports.publisher.pointer(phone)
    expect(rig.pointer()).toMatchObject({ remaining: 0, variants: { s: 0, m: 0 } })
  })
})

describe('a sale with variants that Redis lost', () => {
  it('has every order with its variant again, and the rest of each variant for sale (N1, P10, I1)', async () => {
    const [first, second] = [
      await rig.buy(1, { quantity: 2, variant: 's' }),
      await rig.buy(2, { quantity: 2, variant: 'm' }),
    ]
    await rig.deliver()
    await rig.cancel(second)
    // The released units are published to the gate, as in each second of a running sale.
    rig.clock.now += 3_000
    await replenishAdmissions(rig.ports, phone)
    await rig.loseStock()
    expect(await recoverNow()).toMatchObject({ kind: 'recovered', orders: 1, units: 2 })
    const there = await rig.stockRecord()
    expect(there).toMatchObject({ total: 10, booked: 2, frozen: false })
    expect(there?.holds.get(first)).toMatchObject({ quantity: 2, variant: 's' })
    expect(await counters()).toEqual({ s: [2, 0], m: [6, 0] })
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 8, variants: { s: 2, m: 6 } })
  })

  it('keeps the units of an order on its way in every variant, and gives them to the right one (N1, I1, I2)', async () => {
    await rig.buy(1, { quantity: 2, variant: 's' })
    const letters = rig.queue.messages.splice(0)
    await rig.loseStock()
    await recoverNow()
    expect(await counters()).toEqual({ s: [2, 2], m: [4, 2] })
    expect(await rig.stockRecord()).toMatchObject({ booked: 2, heldBack: 2, available: 6 })
    rig.queue.messages.push(...letters)
    await rig.deliver()
    await reconcile(true)
    // Both missing units are found, and the other variant still holds back as many.
    expect(await counters()).toEqual({ s: [2, 0], m: [4, 2] })
    rig.clock.now += deliveryMs
    await reconcile()
    expect(await counters()).toEqual({ s: [2, 0], m: [6, 0] })
    expect(await readDrift(rig.ports, phone, 0)).toBe(0)
  })

  it('keeps the units of dead letters in their variants alone (N1, I2)', async () => {
    const orderId = await rig.buy(1, { quantity: 2, variant: 'm' })
    const letters = rig.queue.messages.splice(0)
    await rig.loseStock()
    rig.queue.hopeless.add(orderId)
    rig.queue.dead.push(...letters)
    await recoverNow()
    expect(await counters()).toEqual({ s: [2, 2], m: [4, 2] })
    rig.clock.now += deliveryMs
    await reconcile()
    expect(await counters()).toEqual({ s: [4, 0], m: [4, 2] })
    rig.queue.messages.push(...rig.queue.dead.splice(0))
    await rig.deliver()
    await reconcile()
    expect(await counters()).toEqual({ s: [4, 0], m: [4, 0] })
    expect((await rig.stockRecord())?.heldBack).toBe(0)
  })

  it('is taken for rolled back when a variant has units that had sold out in the same revision (N1, I1)', async () => {
    const fallBack = await rig.keepStock()
    for (const shopper of [1, 2]) await rig.buy(shopper, { quantity: 2, variant: 's' })
    await rig.deliver()
    await publishSoldOutVariants(rig.redis, phone, 0, ['s'])
    expect(await repair(rig.ports, phone)).toMatchObject({ kind: 'in-step' })
    await fallBack()
    expect(await repair(rig.ports, phone)).toMatchObject({ kind: 'to-recover' })
    await recoverNow()
    expect(await counters()).toEqual({ s: [0, 0], m: [6, 0] })
    expect(await soldOutAtGate()).toEqual([])
  })

  it('gets a later revision than the gate knows of its variants, so an old list names none (N1, G7)', async () => {
    await publishSoldOutVariants(rig.redis, phone, 7, ['s'])
    await rig.loseStock()
    await recoverNow()
    expect(await rig.stockRecord()).toMatchObject({ stockRevision: 8 })
    expect(await soldOutAtGate()).toEqual([])
  })

  it('is recovered when the units of its variants are not those of the sale, though their sum is (N1, I4)', async () => {
    const { stock } = stockKeys(phone)
    await raw(rig.redis, 'HSET', stock, 'total:s', '5', 'booked:s', '0', 'total:m', '5', 'booked:m', '0')
    expect(await repair(rig.ports, phone)).toMatchObject({ kind: 'to-recover' })
    await recoverNow()
    expect(await counters()).toEqual({ s: [4, 0], m: [6, 0] })
    expect(await repair(rig.ports, phone)).toMatchObject({ kind: 'in-step' })
  })
})

describe('reconcile', () => {
  it('gives an order the units of its variant when Redis, rolled back, took others for the same key (N1, I4)', async () => {
    const fallBack = await rig.keepStock()
    const orderId = await rig.buy(1, { quantity: 1, variant: 's' })
    await rig.deliver()
    await fallBack()
    expect(await rig.reserve(1, { quantity: 2, variant: 'm' })).toBe(orderId)
    expect(await counters()).toEqual({ s: [4, 0], m: [4, 0] })
    await reconcile(true)
    expect(await counters()).toEqual({ s: [3, 0], m: [6, 0] })
    expect(await rig.stockRecord()).toMatchObject({ booked: 1, available: 9 })
    expect((await rig.stockRecord())?.holds.get(orderId)).toMatchObject({ quantity: 1, variant: 's' })
  })

  it('sends a reservation again whose message was lost, with its variant (N1, I2)', async () => {
    const orderId = await rig.buy(1, { quantity: 2, variant: 's' })
    rig.queue.messages.length = 0
    rig.clock.now += 2 * hour
    expect(await reconcile(true)).toMatchObject({ holds: { lost: 1 } })
    expect(await rig.waiting()).toMatchObject([{ orderId, quantity: 2, variant: 's' }])
    rig.queue.messages.push(...(await rig.waiting()))
    await rig.deliver()
    expect(await rig.table.find(orderId)).toMatchObject({ status: 'awaiting-payment', quantity: 2, variant: 's' })
  })

  it('counts the holds anew when the units of an order are in a wrong variant (N1, I4)', async () => {
    await rig.buy(1, { quantity: 1, variant: 's' })
    await rig.deliver()
    const totals = { remaining: 9, sold: 1, orders: 1, variants: { s: { left: 3, sold: 1 }, m: { left: 6, sold: 0 } } }
    rig.ports.table = withTotals(rig.ports.table, totals)
    expect(await readDrift(rig.ports, phone, 0)).toBe(0)
    await raw(rig.redis, 'HSET', stockKeys(phone).stock, 'booked:s', '0', 'booked:m', '1')
    expect(await readDrift(rig.ports, phone, 0)).toBe(1)
    expect(await reconcile()).toMatchObject({ drift: 1, state: 'to-recover' })
  })
})

describe('the gate', () => {
  it('learns that a variant has units again, when an order of it is cancelled (N1, G7)', async () => {
    const orderId = await rig.buy(1, { quantity: 2, variant: 's' })
    await rig.buy(2, { quantity: 2, variant: 's' })
    await rig.deliver()
    await publishSoldOutVariants(rig.redis, phone, 0, ['s'])
    await rig.cancel(orderId)
    expect(await soldOutAtGate()).toEqual([])
    expect(await rig.facts()).toMatchObject({ soldOut: false, restockedRevision: 1 })
    expect(rig.pointer()).toMatchObject({ variants: { s: 2, m: 6 } })
  })

  it('is reminded of variants that it takes for sold out by mistake, or no longer knows to be (N1, G4, G7)', async () => {
    for (const shopper of [1, 2]) await rig.buy(shopper, { quantity: 2, variant: 's' })
    await rig.deliver()
    // The report was lost.
    await repair(rig.ports, phone)
    expect(await soldOutAtGate()).toEqual(['s'])
    await raw(rig.redis, 'HSET', stockKeys(phone).stock, 'stockRevision', '3')
    await raw(rig.redis, 'HSET', gateKey(phone), 'soldOutVariants', '{"revision":2,"ids":["s","m"]}')
    await repair(rig.ports, phone)
    expect(await soldOutAtGate()).toEqual(['s'])
    expect(await rig.facts()).toMatchObject({ restockedRevision: 3, soldOutVariants: { revision: 3 } })
    await publishRestocked(rig.redis, phone, 3)
    const before = await rig.facts()
    await repair(rig.ports, phone)
    expect(await rig.facts()).toEqual(before)
  })
})
