/**
 * Many coupons redeemed by several shops at once, with everything that goes wrong between a till, its
 * network, the function and the table. A till repeats a request until it has an answer, and hands out
 * goods for each redemption that was answered with 200.
 */

import { setImmediate as turn } from 'node:timers/promises'
import type { CouponCode } from '../../../core/orders/coupon.ts'
import { redeemedCount, standingRedemption } from '../../../core/orders/redemption.ts'
import { stepOrder } from '../../../functions/orders/step.ts'
import { readPaidOrders } from '../../../functions/table/orders/paid-orders.ts'
import { conflict, onWire } from '../../../proof/simulation/dynamodb/wire.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import { keyOf, openTills, type ShopCall, shopNames } from '../../world/tills.ts'
import { changesOrders } from '../../world/wire.ts'

/** Orders that are worked on at once. */
const atOnce = 50

export async function playRedemptions(count: number, seed: number) {
  const random = openRandom(seed)
  const rig = await openTills()
  const orders: Awaited<ReturnType<typeof rig.issue>> = []
  for (let issued = 0; issued < count; ) {
    const quantity = Math.min(random.whole(1, 5), count - issued)
    orders.push(...(await rig.issue(quantity, orders.length + 1)))
    issued += quantity
  }
  const seen = { lost: 0, unavailable: 0, busy: 0, conflicts: 0, undone: 0, cancelled: 0, redeemed: 0 }
  const violations: string[] = []
  /** Goods that were handed out for each code, less those that were taken back. */
  const goods = new Map<CouponCode, number>()
  const count1 = (code: CouponCode, by: number) => goods.set(code, (goods.get(code) ?? 0) + by)

  /** A call of the table fails before it has an effect, or after it, or takes its time. */
  async function faulty<T>(call: () => Promise<T>): Promise<T> {
    for (let turns = random.whole(0, 3); turns > 0; turns -= 1) await turn()
    if (random.chance(0.05)) {
      seen.unavailable += 1
      throw new Error('the table is unavailable')
    }
    const answer = await call()
    if (random.chance(0.08)) {
      seen.lost += 1
      throw new Error('the answer of the table was lost')
    }
    await turn()
    return answer
  }
  const busyAtTimes = (send: () => Promise<object>) => async () => {
    if (random.chance(0.1)) {
      seen.busy += 1
      throw conflict()
    }
    return send()
  }
  const table = onWire(rig.table.table, (name, send) => {
    if (name === 'get COUPON' || name === 'get ORDERS') return faulty(send)
    return changesOrders.test(name) ? faulty(busyAtTimes(send)) : send()
  })
  const ports = { ...rig.ports, table }

  /**
   * Sends a call until each of its copies was answered, as docs/how-to/coupons.md asks of a till. A refusal is not
   * remembered, so a copy may redeem what another copy was refused while the code was in use.
   */
  async function ask(call: ShopCall): Promise<{ status: number; reason?: string }> {
    for (;;) {
      const copies = random.chance(0.2) ? 2 : 1
      const tries = await Promise.allSettled(Array.from({ length: copies }, () => rig.ask(call, ports)))
      const answered = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const [first] = answered
      if (first === undefined || answered.length < copies || random.chance(0.1)) continue
      const { status, body } = answered.find((answer) => answer.status === 200) ?? first
      return { status, reason: body.reason }
    }
  }

  async function useOne(code: CouponCode, till: number): Promise<void> {
    const shopKey = keyOf(shopNames[till % shopNames.length] ?? 'web')
    const key = `k-${till}-${random.whole(0, 1e9)}`
    const redeemed = await ask({ code, key, shopKey })
    if (redeemed.status !== 200) {
      seen.conflicts += 1
      return
    }
    count1(code, 1)
    seen.redeemed += 1
    if (!random.chance(0.25)) return
    const undone = await ask({ code, key, shopKey, verb: 'undo' })
    if (undone.status !== 200) violations.push(`an undo was refused: ${undone.reason}`)
    count1(code, -1)
    seen.undone += 1
    // A copy of the request that was held up in the network.
    if (random.chance(0.5) && (await ask({ code, key, shopKey })).reason !== 'coupon-undone')
      violations.push('a late copy was not recognised')
    if (random.chance(0.5)) await useOne(code, till + 1)
  }

  async function cancel(orderId: (typeof orders)[number]['orderId']): Promise<void> {
    for (;;) {
      const step = await stepOrder(ports, orderId, { kind: 'refunded-by-marketer' }, { deadline: Infinity }).catch(
        () => undefined,
      )
      if (step === undefined) continue
      if (step.kind === 'moved') seen.cancelled += 1
      return
    }
  }

  for (let start = 0; start < orders.length; start += atOnce) {
    await Promise.all(
      orders.slice(start, start + atOnce).map(async ({ orderId, codes }) => {
        const uses = codes.flatMap((code) =>
          Array.from({ length: random.whole(1, 3) }, (_, till) => useOne(code, till)),
        )
        await Promise.all([...uses, ...(random.chance(0.3) ? [cancel(orderId)] : [])])
      }),
    )
  }

  let standing = 0
  for (const { orderId, codes } of orders) {
    const order = await rig.table.find(orderId)
    if (order === undefined) throw new Error(`${orderId} is gone`)
    standing += redeemedCount(order)
    if (order.status === 'cancelled' && redeemedCount(order) > 0)
      violations.push(`${orderId} is cancelled and redeemed`)
    for (const code of codes) {
      const stands = (order.redemptions ?? []).filter((one) => one.code === code && one.undoneAt === undefined)
      const isRedeemed = standingRedemption(order, code) !== undefined
      if (stands.length > 1) violations.push(`${code} is redeemed ${stands.length} times`)
      if ((goods.get(code) ?? 0) !== Number(isRedeemed))
        violations.push(`${code}: ${goods.get(code) ?? 0} goods were handed out, redeemed: ${isRedeemed}`)
    }
  }
  const { redeemed: counted } = await readPaidOrders(rig.table.table, rig.sale.saleId)
  if (counted !== standing) violations.push(`${counted} are counted as redeemed, and ${standing} are`)
  return { violations, seen, codes: orders.reduce((sum, { codes }) => sum + codes.length, 0), standing }
}
