/** The marketer's side of coupons: the table of their codes, and an order that is cancelled. */
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { formatCoupon } from '../../../core/orders/coupon.ts'
import { couponCodeOf } from '../../../proof/simulation/parts/coupons.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const coupon = (changes: object = {}) => ({ kind: 'coupon', price: 0, ...changes })
const path = '/sales/phone/coupons.csv'
const headings =
  'code,orderId,shopperId,status,issuedAt,validFrom,validUntil,redeemedAt,redeemedBy,reference,orderNumber'

/** The lines after the headings, in any order. */
async function linesOf(csv: string = path): Promise<string[]> {
  const answer = await rig.ask('GET', csv)
  expect(answer.status).toBe(200)
  expect(answer.body.endsWith('\r\n')).toBe(true)
  const [first, ...lines] = answer.body.slice(0, -2).split('\r\n')
  expect(first).toBe(headings)
  return lines.sort()
}

describe('GET /api/control/sales/{id}/coupons.csv', () => {
  it('lists every code with its shopper and when it is valid (S7)', async () => {
    const [from, until] = [rig.clock.now, rig.clock.now + 86_400_000]
    await rig.open(coupon({ coupons: { validFrom: from, validUntil: until } }))
    const one = await rig.buy(1, { quantity: 2 })
    const two = await rig.buy(2)
    rig.clock.now += 1500
    await rig.deliver()
    const at = new Date(rig.clock.now).toISOString()
    const rest = `valid,${at},${new Date(from).toISOString()},${new Date(until).toISOString()},,,`
    const numbers = [one, two].map(async (orderId) => (await rig.table.find(orderId as OrderId))?.orderNumber)
    const [first, second] = await Promise.all(numbers)
    expect([first, second]).toEqual([expect.any(String), expect.any(String)])
    expect(await linesOf()).toEqual(
      [
        `${formatCoupon(couponCodeOf(1))},${one},shopper-1,${rest},${first}`,
        `${formatCoupon(couponCodeOf(2))},${one},shopper-1,${rest},${first}`,
        `${formatCoupon(couponCodeOf(3))},${two},shopper-2,${rest},${second}`,
      ].sort(),
    )
    expect((await rig.ask('GET', path)).headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="phone-coupons.csv"',
      'cache-control': 'no-store',
    })
  })

  it('leaves times empty that the sale does not set', async () => {
    await rig.open(coupon())
    await rig.sell(1)
    expect((await linesOf())[0]).toMatch(/,valid,[^,]+Z,,,,,,\d+$/)
  })

  it('lists a cancelled order as void, and its shopper sees no code any more (O9)', async () => {
    await rig.open(coupon())
    const [one, two] = await rig.sell(2)
    const refunded = await rig.ask('POST', `/orders/${one}/refund`, {})
    expect(refunded).toMatchObject({ status: 200, body: { status: 'cancelled', refund: null } })
    expect(JSON.stringify(refunded.body)).not.toContain(couponCodeOf(1))
    const lines = await linesOf()
    expect(lines.map((line) => line.split(',').slice(1, 4)).sort()).toEqual(
      [
        [one, 'shopper-1', 'void'],
        [two, 'shopper-2', 'valid'],
      ].sort(),
    )
    expect((await rig.table.find(one as OrderId))?.coupons).toEqual([couponCodeOf(1)])
    expect((await rig.stockRecord())?.booked).toBe(1)
    expect(JSON.stringify([rig.telemetry.lines, rig.audit()])).not.toContain(couponCodeOf(1))
  })

  it('has only its headings before the first coupon is issued', async () => {
    await rig.create(coupon())
    expect(await linesOf()).toEqual([])
  })

  it('rejects a sale of another kind', async () => {
    await rig.open()
    const answer = await rig.ask('GET', path)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(answer.body.detail).toMatch(/no coupons/)
    const unknownPart = await rig.ask('GET', '/sales/phone/coupons.csv?part=32')
    expect(unknownPart).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'part' } })
  })
})
