import { describe, expect, it } from 'vitest'
import { defaultThrottle, type Sale, type ThrottleRule } from '../../../core/sale/sale.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { restore } from '../../../redis/orders/restore.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { updateDefinition } from '../../../redis/stock/warm.ts'
import { aPurchase, aWarmSale, everythingOf, nothingHeldBack, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const start = 1_800_000_000_000
const window = 60_000
const throttled = (perShopper: ThrottleRule) => ({ throttle: { ...defaultThrottle, perShopper } })

/** A sale of plenty in which one shopper may try three times a minute by default. */
const aThrottledSale = (changes: Partial<Sale> = {}) =>
  aWarmSale(rig.redis, {
    stock: 10_000,
    limitPerShopper: 1000,
    startsAt: start - 1_000_000,
    endsAt: start + 10_000_000,
    ...throttled({ limit: 3, windowSeconds: 60 }),
    ...changes,
  })

let orders = 0
/** A try of a shopper for a new order, at `at` ms after the start. */
function attempt(sale: Sale, at: number, changes: Parameters<typeof aPurchase>[3] = {}, shopper = 1) {
  orders += 1
  return reserve(rig.redis, aPurchase(sale, shopper, orders, { now: start + at, ...changes }))
}

const wait = (retryAfterMs: number) => ({ kind: 'too-many-requests', retryAfterMs })

describe('the tries of a shopper (R2)', () => {
  it('are rejected beyond the limit, with the time until the next may pass, to the millisecond', async () => {
    const sale = await aThrottledSale()
    for (const at of [0, 10_000, 20_000]) expect(await attempt(sale, at)).toMatchObject({ kind: 'reserved' })
    const before = await everythingOf(rig.redis, sale.saleId)
    expect(await attempt(sale, 20_000)).toEqual(wait(40_000))
    expect(await attempt(sale, 59_999)).toEqual(wait(1))
    expect(await everythingOf(rig.redis, sale.saleId), 'a rejected try changes nothing').toEqual(before)
    expect(await attempt(sale, 60_000)).toMatchObject({ kind: 'reserved' })
    expect(await attempt(sale, 60_000)).toEqual(wait(10_000))
  })

  it('of orders that Redis lost count again once these are restored, also when they end then', async () => {
    const sale = await aThrottledSale({ ...throttled({ limit: 1, windowSeconds: 60 }) })
    const lost = { ...aPurchase(sale, 1, 902), reservedAt: start }
    await restore(rig.redis, sale.saleId, [lost])
    expect(await attempt(sale, 1)).toEqual(wait(window - 1))
    await restore(rig.redis, sale.saleId, [{ ...lost, quantity: 0 }])
    expect(await attempt(sale, 2)).toEqual(wait(window - 2))
    expect(await attempt(sale, window)).toMatchObject({ kind: 'reserved' })
  })
})

describe('an edit of the throttle (R2)', () => {
  it('reaches a running sale with the next flip, in both directions', async () => {
    const sale = await aThrottledSale({ limitPerShopper: 4, maxPerOrder: 1 })
    for (const at of [0, 1, 2]) await attempt(sale, at)
    expect(await attempt(sale, 3)).toEqual(wait(window - 3))
    const wider = { ...sale, version: 2, ...throttled({ limit: 5, windowSeconds: 60 }) }
    await updateDefinition(rig.redis, wider)
    expect(await attempt(sale, 4, { quantity: 2 })).toEqual({ kind: 'invalid-request' })
    expect(await attempt(sale, 5)).toMatchObject({ kind: 'reserved' })
    expect(await attempt(sale, 6)).toEqual(wait(window - 6))
    const narrower = { ...sale, version: 3, ...throttled({ limit: 2, windowSeconds: 10 }) }
    await updateDefinition(rig.redis, narrower)
    expect(await attempt(sale, 6)).toEqual(wait(10_004 - 6))
    expect(await attempt(sale, 10_004)).toEqual({ kind: 'limit-reached' })
  })

  it('is in force after a recovery', async () => {
    const sale = await aThrottledSale()
    await freeze(rig.redis, sale.saleId)
    const edited = { ...sale, version: 2, ...throttled({ limit: 1, windowSeconds: 5 }) }
    await updateDefinition(rig.redis, edited)
    await unfreeze(rig.redis, edited, 0, nothingHeldBack)
    await attempt(sale, 0)
    expect(await attempt(sale, 1)).toEqual(wait(4_999))
  })
})
