/** A till of a shop: redeems coupons that shoppers show, and undoes some of it. Two tills may meet at one coupon. */
import { redeemApi } from '../../../core/api/redeem.ts'
import { parseIdempotencyKey } from '../../../core/ids.ts'
import { formatCoupon } from '../../../core/orders/coupon.ts'
import { shopAddressHeader, shopKeyHeader } from '../../../core/orders/shop-key.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { redeemApp } from '../../../functions/orders/redeem.ts'
import { sendRequest } from '../client.ts'
import { keyOfTill } from '../functions.ts'
import { answerTo, requestOf } from '../parts/requests.ts'
import { redemptionName } from '../visit-record.ts'
import type { World } from '../world.ts'
import { lateMs } from './staff.ts'

/** A code that was never issued. */
const unknownCode = '0'.repeat(20)

/** Serves up to six shoppers. */
export async function runTill(world: World, till: string): Promise<void> {
  const { simulation, truth, saleId, newKey } = world
  const { random, sleep } = simulation
  for (let left = random.whole(2, 6); left > 0; left -= 1) {
    await sleep(random.spread(10, 5000))
    // Few, so that tills meet.
    const codes = truth.orders(saleId).flatMap(({ coupons = [] }) => coupons.slice(0, 1))
    const code = codes.length === 0 || random.chance(0.05) ? unknownCode : formatCoupon(random.pick(codes))
    const key = newKey()
    const redeemed = await change(world, till, { code, key, verb: 'redeem' })
    if (redeemed.statusCode !== 200 || random.chance(0.6)) continue
    await sleep(lateMs)
    await change(world, till, { code, key, verb: 'undo' })
  }
}

type Change = { code: string; key: string; verb: 'redeem' | 'undo' }

/** The final answer; every answer that was given is recorded, also one that was lost. */
async function change(world: World, till: string, { code, key, verb }: Change): Promise<HttpAnswer> {
  const { simulation, functions } = world
  const headers = {
    [shopKeyHeader]: keyOfTill(till),
    [shopAddressHeader]: '203.0.113.7',
    'idempotency-key': key,
  }
  const request = requestOf(undefined, 'POST', `/api/control/coupons/${code}/${verb}`, {}, headers)
  for (;;) {
    const answer = await sendRequest(
      simulation,
      functions.orderChanges,
      (ports) => answerTo(redeemApp(ports), request),
      (given) => recordRedemption(world, till, key, given),
    )
    if (answer !== undefined && answer.statusCode < 500) return answer
    await simulation.sleep(simulation.random.spread(200, 5000))
  }
}

function recordRedemption({ visits, violated }: World, till: string, text: string, answer: HttpAnswer): void {
  const key = parseIdempotencyKey(text)
  if (answer.statusCode !== 200 || key === undefined) return
  const { orderId, code, redeemedAt, undoneAt } = redeemApi.redeem.answer.parse(JSON.parse(answer.body))
  const name = redemptionName({ till, key, code })
  const before = visits.redemptions.get(name)
  if (before !== undefined && (before.redeemedAt !== redeemedAt || before.orderId !== orderId)) {
    violated(`${name} was redeemed at ${before.redeemedAt} and then at ${redeemedAt} (I5)`)
  }
  const isUndone = undoneAt !== undefined || before?.isUndone === true
  visits.redemptions.set(name, { orderId, code, till, key, redeemedAt, isUndone })
}
