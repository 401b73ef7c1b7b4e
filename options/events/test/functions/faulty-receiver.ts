/** A receiver that loses answers, hangs, is gone for a while and comes back, and a sender that is killed in the middle. */
import { expect } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import type { Order } from '../../../../core/orders/order.ts'
import { NotReadable } from '../../../../functions/lib/http/public-http.ts'
import { seededRandom } from '../../../../proof/bench/statistics.ts'
import { anOrder, stepped } from '../../../../test/functions/people/mail-rig.ts'
import { listFinished, listPending } from '../../functions/table.ts'
import { type EventRig, eventRig, startedAt } from './event-rig.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** The order of that number, as it was written. */
function orderOf(number: number): Order {
  const digits = Array.from({ length: 26 }, (_, at) => letters[Math.floor(number / 32 ** at) % 32] ?? 'a')
  return anOrder({ orderId: `stoneware-mug-${digits.join('')}` as OrderId })
}

/** Its life in four writes, of which three are events. */
function livesOf(order: Order): Order[] {
  const paid = stepped(order, 'payment-succeeded', 'paid')
  const started = stepped(order, 'payment-started', 'awaiting-payment')
  return [order, started, paid, stepped(paid, 'shipped', 'shipped')]
}
const expectedOfOrder = ['order.reserved', 'order.paid', 'order.shipped']

/**
 * Writes the lives of `count` orders to the stream, some changes twice, and lets days pass until nothing waits. The
 * receiver refuses 30 % of the posts, accepts some whose answer is lost, and lets some hang; in the middle it answers
 * 410 and is enabled again. The sender is killed now and then: in the middle of a run nothing more of it happens.
 */
export async function playFaultyReceiver(seed: number, count: number): Promise<EventRig> {
  const random = seededRandom(seed)
  const rig = eventRig(random)
  await rig.endpoint('erp')
  /** The accepted events of each order, in the order of their first arrival. */
  const taken = new Map<string, string[]>()
  const tried = new Map<string, number>()
  let posts = 0
  let isGone = false
  rig.answerWith(async ({ headers, body }) => {
    posts += 1
    if (isGone) return 410
    const id = String(headers['webhook-id'])
    const tries = (tried.get(id) ?? 0) + 1
    tried.set(id, tries)
    // An event that fails ten times is dead-lettered, which happens to one of 100,000 events by chance.
    const chance = tries > 8 ? 1 : random()
    if (chance < 0.2) return 500
    if (chance < 0.25) throw new NotReadable('it does not answer within 10 s')
    const { data, type } = JSON.parse(body)
    const seen = taken.get(data.orderId) ?? []
    if (!seen.includes(`${id} ${type}`)) taken.set(data.orderId, [...seen, `${id} ${type}`])
    // It has taken the event, and the function learns nothing of it.
    if (random() < 0.005) return rig.kill()
    if (chance < 0.3) throw new NotReadable('it cannot be reached (ECONNRESET)')
    return 204
  })
  const batch = 50
  for (let first = 0; first < count; first += batch) {
    const orders = Array.from({ length: Math.min(batch, count - first) }, (_, at) => orderOf(first + at))
    for (const life of [0, 1, 2, 3]) {
      const changes = orders.flatMap((order) => livesOf(order)[life] ?? [])
      await rig.write(...changes)
      if (random() < 0.3) await rig.write(...changes)
      rig.time.now += 500
      await rig.send()
    }
    if (first <= count / 2 && count / 2 < first + batch) {
      isGone = true
      await rig.send()
      rig.time.now += 60_000
      isGone = false
      await rig.endpoint('erp')
    }
  }
  const until = startedAt + 5 * 86_400_000
  while (rig.time.now < until && (await listPending(rig.table, 'id-of-erp', 1)).length > 0) {
    // Events with many failures wait for hours.
    rig.time.now += rig.time.now < startedAt + 4 * 3_600_000 ? 60_000 : 1_800_000
    await rig.sweep()
    while (rig.messages.some(({ at }) => at <= rig.time.now)) await rig.send()
  }
  expect(posts).toBeGreaterThan(count * expectedOfOrder.length)
  expect(await listPending(rig.table, 'id-of-erp', 1)).toEqual([])
  expect(taken.size).toBe(count)
  for (const [orderId, seen] of taken) {
    expect(
      seen.map((one) => one.split(' ')[1]),
      orderId,
    ).toEqual(expectedOfOrder)
    expect(new Set(seen).size, orderId).toBe(expectedOfOrder.length)
  }
  const done = await listFinished(rig.table, 'id-of-erp', count * 10)
  expect(done.filter(({ state }) => state === 'dead')).toEqual([])
  return rig
}
