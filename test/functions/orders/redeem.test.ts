/** Coupons that shops redeem: once, by whom, until when, and what is refused. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { type CouponCode, formatCoupon } from '../../../core/orders/coupon.ts'
import { maxUndone } from '../../../core/orders/redemption.ts'
import { csvPart } from '../../../functions/control/csv.ts'
import { couponsTable } from '../../../functions/control/tables.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { couponsView } from '../../../functions/orders/own-order.ts'
import { missLimit } from '../../../functions/orders/redeem.ts'
import { findShopByKey, shopKeyDigests } from '../../../functions/orders/shop-keys.ts'
import { readPaidOrders } from '../../../functions/table/orders/paid-orders.ts'
import { orderRows } from '../../../functions/table/sale/sale-rows.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { couponCodeOf } from '../../../proof/simulation/parts/coupons.ts'
import { keyOf, openTills, startOfTills, undoMs } from '../../world/tills.ts'

let rig: Awaited<ReturnType<typeof openTills>>
let orderId: OrderId
let code: CouponCode
let other: CouponCode

beforeEach(async () => {
  rig = await openTills()
  await issueTwo()
})

async function issueTwo() {
  const issued = await rig.issue(2)
  const [first, second] = issued.codes
  if (first === undefined || second === undefined) throw new Error('nothing was issued')
  ;[orderId, code, other] = [issued.orderId, first, second]
}

const stored = async () => {
  const order = await rig.table.find(orderId)
  if (order === undefined) throw new Error('the order is gone')
  return order
}

/** Cancels the order like a marketer's refund. */
const cancel = () => changeOrder(rig.ports, orderId, { kind: 'refunded-by-marketer' })

describe('a coupon', () => {
  it('is redeemed once, and a repeat of the request gets the same answer (S7, I5)', async () => {
    const call = { code: formatCoupon(code).toLowerCase(), body: { reference: 'receipt 7' } }
    const first = await rig.ask(call)
    expect(first).toMatchObject({
      status: 200,
      body: { code: formatCoupon(code), orderId, redeemedAt: startOfTills, reference: 'receipt 7' },
    })
    rig.clock.now += 5000
    expect(await rig.ask(call)).toEqual(first)
    const { redeemed } = await readPaidOrders(rig.table.table, rig.sale.saleId)
    expect(redeemed).toBe(1)
  })

  it('is refused to another request, which learns when it was redeemed, and the receipt only if it is its own (S7)', async () => {
    await rig.ask({ code, body: { reference: 'receipt 7' } })
    const at = new Date(startOfTills).toISOString()
    rig.clock.now += 60_000
    const own = await rig.ask({ code, key: 'request-2' })
    expect(own).toMatchObject({ status: 409, body: { reason: 'coupon-used', values: { at, reference: 'receipt 7' } } })
    const foreign = await rig.ask({ code, shopKey: keyOf('till-2') })
    expect(foreign).toMatchObject({ status: 409, body: { reason: 'coupon-used', values: { at } } })
    expect(JSON.stringify(foreign.body)).not.toContain('receipt')
    expect(foreign.body.detail).toContain(at)
  })

  it('is void once its order is cancelled, and a redeemed one keeps its order from being cancelled (S7)', async () => {
    await rig.ask({ code })
    expect(await cancel()).toMatchObject({ kind: 'refused' })
    await rig.ask({ code, verb: 'undo' })
    expect(await cancel()).toMatchObject({ kind: 'moved' })
    expect(await rig.ask({ code, key: 'request-2' })).toMatchObject({ status: 409, body: { reason: 'coupon-void' } })
    expect(await rig.ask({ code: other })).toMatchObject({ status: 409, body: { reason: 'coupon-void' } })
  })

  it('is redeemed only while its sale says that it is valid (S7)', async () => {
    const validFrom = startOfTills + 1000
    rig = await openTills({ coupons: { validFrom, validUntil: validFrom + 1000 } })
    await issueTwo()
    const early = await rig.ask({ code })
    expect(early).toMatchObject({ status: 409, body: { reason: 'coupon-not-yet' } })
    expect(early.body.values.at).toBe(new Date(validFrom).toISOString())
    rig.clock.now = validFrom
    expect(await rig.ask({ code })).toMatchObject({ status: 200 })
    rig.clock.now = validFrom + 1000
    expect(await rig.ask({ code: other })).toMatchObject({ status: 409, body: { reason: 'coupon-expired' } })
    expect(await rig.ask({ code }), 'a repeat').toMatchObject({ status: 200 })
  })

  it('is shown as redeemed to its shopper and in the table of codes (S7)', async () => {
    await rig.ask({ code, body: { reference: '=1+1' } })
    expect(couponsView(await stored(), rig.sale)).toEqual({ coupons: [code, other], redeemed: [code] })
    const { text } = await csvPart(couponsTable(rig.sale), orderRows(rig.table.table, rig.sale.saleId), true)
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/,redeemedAt,redeemedBy,reference,orderNumber$/)
    expect(lines[1]).toContain(`,redeemed,`)
    expect(lines[1]).toMatch(/,2026-11-20T12:00:00.000Z,till-1,'=1\+1,\d*$/)
    expect(lines[2]).toMatch(/,valid,.*,,,,\d*$/)
  })
})

describe('undoing a redemption', () => {
  it('makes the coupon redeemable again, within the time that the stage gives (S7, I5)', async () => {
    await rig.ask({ code })
    rig.clock.now += undoMs - 1
    const undone = await rig.ask({ code, verb: 'undo' })
    expect(undone).toMatchObject({ status: 200, body: { redeemedAt: startOfTills, undoneAt: rig.clock.now } })
    rig.clock.now += undoMs
    expect(await rig.ask({ code, verb: 'undo' }), 'a repeat').toEqual(undone)
    expect((await readPaidOrders(rig.table.table, rig.sale.saleId)).redeemed).toBe(0)
    expect(await rig.ask({ code, shopKey: keyOf('till-2') })).toMatchObject({ status: 200 })
  })

  it('is refused when that time is over', async () => {
    await rig.ask({ code })
    rig.clock.now += undoMs
    expect(await rig.ask({ code, verb: 'undo' })).toMatchObject({ status: 409, body: { reason: 'coupon-undo-late' } })
  })

  it('is refused to another shop, and without a redemption', async () => {
    expect(await rig.ask({ code, verb: 'undo' })).toMatchObject({
      status: 409,
      body: { reason: 'coupon-not-redeemed' },
    })
    await rig.ask({ code })
    const foreign = await rig.ask({ code, verb: 'undo', shopKey: keyOf('till-2') })
    expect(foreign).toMatchObject({ status: 409, body: { reason: 'coupon-used' } })
    expect((await stored()).redemptions).toEqual([expect.not.objectContaining({ undoneAt: expect.anything() })])
  })

  it('does not let a late repeat of the request redeem again, nor a late undo touch the next redemption (I5)', async () => {
    await rig.ask({ code })
    await rig.ask({ code, verb: 'undo' })
    expect(await rig.ask({ code })).toMatchObject({ status: 409, body: { reason: 'coupon-undone' } })
    await rig.ask({ code, key: 'request-2' })
    expect(await rig.ask({ code, verb: 'undo' }), 'a late repeat').toMatchObject({ status: 200 })
    expect(await rig.ask({ code, key: 'request-2' })).toMatchObject({ status: 200 })
  })

  it('keeps a receipt of 128 bytes', async () => {
    const reference = `${'收'.repeat(42)}ab`
    expect(await rig.ask({ code, body: { reference } })).toMatchObject({ status: 200, body: { reference } })
  })

  it('cannot fill an order without end', async () => {
    for (let i = 0; i < maxUndone; i += 1) {
      await rig.ask({ code, key: `request-${i}` })
      expect((await rig.ask({ code, key: `request-${i}`, verb: 'undo' })).status).toBe(200)
    }
    await rig.ask({ code, key: 'last' })
    expect(await rig.ask({ code, key: 'last', verb: 'undo' })).toMatchObject({ body: { reason: 'coupon-undo-limit' } })
  })
})

describe('attacks on the redemption of coupons', () => {
  it.each([
    ['no key', ''],
    ['a key of no shop', keyOf('till-9')],
    ['the name of a shop with another key', keyOf('till-1', 'x')],
    ['a name from the prototype', keyOf('constructor')],
    ['a key one character short', keyOf('till-1').slice(0, -1)],
    ['the digest instead of the key', 'till-1.digest'],
  ])('%s is refused, and touches nothing', async (_name, shopKey) => {
    rig.table.goDown()
    expect(await rig.ask({ code, shopKey })).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })
  })

  it.each([
    ['a code of 19 characters', { code: 'ABCD-EFGH-JKMN-PQRS-TVW' }, 400],
    ['a path in the code', { code: '..%2f..%2fsales' }, 400],
    ['no idempotency key', { key: '' }, 400],
    ['an idempotency key with a space', { key: 'a b' }, 400],
    ['a reference of 65 characters', { body: { reference: 'r'.repeat(65) } }, 400],
    ['a reference of 129 bytes', { body: { reference: `${'收'.repeat(42)}abc` } }, 400],
    ['an empty reference', { body: { reference: '' } }, 400],
    ['a line break in the reference', { body: { reference: 'a\nb' } }, 400],
    ['a reference that is no text', { body: { reference: 7 } }, 400],
    ['a field of ours', { body: { redeemedAt: 1 } }, 400],
    ['a list', { body: [] }, 400],
    ['broken JSON', { body: '{' }, 400],
    ['a large body', { body: { reference: 'r'.repeat(600) } }, 413],
    ['a GET', { method: 'GET' }, 405],
  ])('%s is refused, and redeems nothing', async (_name, change, status) => {
    expect((await rig.ask({ code, ...change })).status).toBe(status)
    expect((await stored()).redemptions).toBeUndefined()
  })

  it('unknown codes answer 404, and too many of them from one key and address are throttled', async () => {
    for (let i = 0; i < missLimit.limit; i += 1) {
      expect(await rig.ask({ code: couponCodeOf(1000 + i) })).toMatchObject({
        status: 404,
        body: { code: 'not-found' },
      })
    }
    rig.table.goDown()
    expect(await rig.ask({ code }), 'the table is not asked').toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
    })
    rig.table.comeUp()
    expect((await rig.ask({ code, address: '203.0.113.8' })).status, 'another address').toBe(200)
    expect((await rig.ask({ code: other, shopKey: keyOf('till-2') })).status, 'another key').toBe(200)
    rig.clock.now += missLimit.windowMs
    expect((await rig.ask({ code: couponCodeOf(2000) })).status).toBe(404)
  })

  it('refused codes that exist count for no throttle', async () => {
    await rig.ask({ code })
    for (let i = 0; i < 2 * missLimit.limit; i += 1)
      expect((await rig.ask({ code, key: `again-${i}` })).status).toBe(409)
  })

  it('a code whose order has other codes is unknown: its message was delivered twice', async () => {
    const ghost = couponCodeOf(77)
    expect(
      await rig.ask(
        { code: ghost },
        { table: onWireAt(rig.table.table, 'get COUPON', async () => ({ Item: { orderId } })) },
      ),
    ).toMatchObject({
      status: 404,
    })
  })
})

describe('the digests of shop keys', () => {
  it('are read from a variable, and hold no key', () => {
    const text = JSON.stringify(rig.ports.shopKeys)
    expect(shopKeyDigests.safeParse(text).success).toBe(true)
    expect(text).not.toContain('kkk')
    expect(findShopByKey(rig.ports.shopKeys, keyOf('web'))).toBe('web')
  })

  it.each([
    ['no JSON', '{'],
    ['a key instead of its digest', JSON.stringify({ till: keyOf('till') })],
    ['a malformed name', JSON.stringify({ 'Till 1': 'd'.repeat(43) })],
    ['too many', JSON.stringify(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`t${i}`, 'd'.repeat(43)])))],
  ])('are refused as %s', (_name, text) => {
    expect(shopKeyDigests.safeParse(text).success).toBe(false)
  })
})
