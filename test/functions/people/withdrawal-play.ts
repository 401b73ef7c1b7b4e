/**
 * Many orders that are withdrawn from while they are sent, disputed, refunded and returned, with everything that goes
 * wrong between the shop, its table and the provider. Callers repeat what got no answer and click twice at once; the provider sends money
 * once for each request that it takes, none while the payment is disputed, and reports it until the report is taken; the bank takes back
 * what is left of the payment in a dispute that is lost, and returns some refunds, which a person pays by another way.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { OrderId } from '../../../core/ids.ts'
import { holdsUnits } from '../../../core/orders/order.ts'
import { type LifeEvent, paymentIdOf } from '../../../core/orders/order-life.ts'
import { isWhollyReturned } from '../../../core/orders/withdrawal.ts'
import { changeOrder } from '../../../functions/orders/change-order.ts'
import { releaseUnits } from '../../../functions/orders/release.ts'
import { withdrawFrom } from '../../../functions/people/withdrawal.ts'
import { dueRefunds } from '../../../functions/table/orders/refunds.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { conflict, onWire } from '../../../proof/simulation/dynamodb/wire.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import type { Commander } from '../../../redis/command.ts'
import { readShards } from '../../../redis/stock/stock.ts'
import { phone } from '../../world/stock-record.ts'
import { changesOrders } from '../../world/wire.ts'
import { world } from '../../world/world.ts'

/** Orders that are worked on at once. */
const atOnce = 50
const most = 3

type Play = { count: number; seed: number; shards: number }

export async function playWithdrawals(redis: Commander, { count, seed, shards }: Play) {
  const random = openRandom(seed)
  const rig = await world({ redis, databases: shards })
  const units = { stock: count * most * 2 * shards, limitPerShopper: most, maxPerOrder: most }
  await rig.open({ ...units, price: 700, shards })
  const orderIds: OrderId[] = []
  for (let shopper = 1; shopper <= count; shopper += 1)
    orderIds.push(await rig.buy(shopper, { quantity: random.whole(1, most) }))
  await rig.deliver()

  const seen = {
    ...{ lost: 0, busy: 0, withdrawn: 0, parts: 0, refunds: 0, returned: 0, shipped: 0 },
    ...{ disputed: 0, disputesLost: 0, refusedInDispute: 0, bankReturned: 0 },
  }
  const violations: string[] = []
  const isHit = { areOn: true }
  const happens = (chance: number) => isHit.areOn && random.chance(chance)

  const table = onWire(rig.table.table, async (name, send) => {
    if (!changesOrders.test(name) && name !== 'get ORDERS') return send()
    for (let turns = random.whole(0, 3); turns > 0; turns -= 1) await turn()
    if (changesOrders.test(name) && happens(0.1)) {
      seen.busy += 1
      throw conflict()
    }
    const answer = await send()
    if (happens(0.06)) {
      seen.lost += 1
      throw new Error('the answer of the table was lost')
    }
    return answer
  })

  /** What the provider has sent back of each payment, and what it was asked for. */
  const sent = new Map<string, number>()
  const disputed = new Set<string>()
  const reports: { orderId: OrderId; event: LifeEvent }[] = []
  const provider = {
    ...rig.ports.provider,
    async refund({ paymentId, orderId, amount, currency }: Parameters<typeof rig.ports.provider.refund>[0]) {
      if (happens(0.2)) throw new Error('the provider is unavailable')
      if (disputed.has(paymentId)) {
        seen.refusedInDispute += 1
        throw new Error('the payment is disputed')
      }
      if (sent.has(paymentId)) return
      sent.set(paymentId, amount)
      seen.refunds += 1
      reports.push({
        orderId: orderId as OrderId,
        event: { kind: 'refund-succeeded', paymentId, amount, currency },
      })
      if (happens(0.2)) throw new Error('the answer of the provider was lost')
    },
  }
  const offers = {
    of: async () => {
      const offer = await rig.offers.of(phone)
      return offer && { ...offer, market: 'DE' as const }
    },
  }
  const ports = { ...rig.ports, table, provider, offers }

  /** Repeats a call until it has an answer. */
  async function ask<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await call()
        if (!happens(0.1)) return answer
      } catch (error) {
        if (!isHit.areOn) throw error
      }
    }
  }
  const shuffled = <T>(all: readonly T[]): T[] =>
    all
      .map((one) => ({ one, at: random.whole(0, 1e9) }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one)
  const change = (orderId: OrderId, event: LifeEvent) => ask(() => changeOrder(ports, orderId, event))
  /** As the provider's messages: counted once, however often they come. */
  const report = (orderId: OrderId, event: LifeEvent) => {
    const eventId = `${event.kind} of ${orderId}`
    const one = { eventId, digest: eventId, receivedAt: rig.clock.now }
    return ask(() => changeOrder(ports, orderId, event, one))
  }

  const askRefund = (orderId: OrderId, units?: 'withdrawn') => () =>
    Promise.all([1, 2].map(() => change(orderId, { kind: 'refunded-by-marketer', ...(units && { units }) })))

  async function withdraw(orderId: OrderId, quantity: number): Promise<void> {
    const order = await ask(() => rig.table.find(orderId))
    if (order === undefined) throw new Error(`${orderId} is gone`)
    const statement = { name: 'Ann', email: 'ann@example.com', language: 'en', quantity } as const
    const [one, other] = await Promise.all([1, 2].map(() => ask(() => withdrawFrom(ports, order, statement))))
    if (one?.kind === 'withdrawn' && other?.kind === 'withdrawn') {
      seen.withdrawn += 1
      if (quantity < order.quantity) seen.parts += 1
      if ((one.order.withdrawal?.quantity ?? 0) < quantity) violations.push(`${orderId} lost a statement`)
    }
  }

  async function live(orderId: OrderId): Promise<void> {
    const order = await rig.table.find(orderId)
    if (order === undefined) throw new Error(`${orderId} is not written`)
    const { quantity, amount, currency } = order
    const paymentId = paymentIdOf(order, 1)
    await report(orderId, { kind: 'payment-succeeded', paymentId, amount, currency })
    const disputeId = `dispute of ${orderId}`
    const acts: (() => Promise<unknown>)[] = [
      () => withdraw(orderId, random.whole(1, quantity)),
      askRefund(orderId, 'withdrawn'),
      () => change(orderId, { kind: 'units-returned' }),
    ]
    if (random.chance(0.6)) {
      acts.push(async () => {
        await change(orderId, { kind: 'shipped', carrier: 'DHL' })
        await change(orderId, { kind: 'delivered' })
        seen.shipped += 1
      })
    }
    if (random.chance(0.2)) acts.push(askRefund(orderId))
    if (random.chance(0.2)) {
      seen.disputed += 1
      acts.push(async () => {
        disputed.add(paymentId)
        await report(orderId, { kind: 'payment-disputed', paymentId, disputeId })
        await turn()
        const rest = amount - (sent.get(paymentId) ?? 0)
        if (rest === 0 || random.chance(0.5)) {
          disputed.delete(paymentId)
          await report(orderId, { kind: 'dispute-won', paymentId, disputeId })
          return
        }
        seen.disputesLost += 1
        sent.set(paymentId, amount)
        await report(orderId, { kind: 'dispute-lost', paymentId, disputeId, amount: rest, currency })
      })
    }
    await Promise.all(shuffled(acts).map(async (act) => act()))
    if (random.chance(0.5)) await withdraw(orderId, quantity)
    await askRefund(orderId, 'withdrawn')()
    if (random.chance(0.7)) await change(orderId, { kind: 'units-returned' })
  }

  for (let start = 0; start < orderIds.length; start += atOnce) {
    await Promise.all(orderIds.slice(start, start + atOnce).map(live))
    for (const { orderId, event } of reports.splice(0)) {
      await report(orderId, event)
      // The provider repeats itself.
      if (random.chance(0.3)) await report(orderId, event)
      if (event.kind === 'refund-succeeded' && random.chance(0.1)) {
        seen.bankReturned += 1
        await report(orderId, { kind: 'refund-failed', paymentId: event.paymentId })
        await Promise.all([1, 2].map(() => change(orderId, { kind: 'refund-settled' })))
      }
    }
  }
  // What reconcile does, until nothing is due.
  isHit.areOn = false
  for (const { orderId, ...due } of await dueRefunds(rig.table.table)) await provider.refund({ orderId, ...due })
  for (const { orderId, event } of reports.splice(0)) await report(orderId, event)
  await releaseUnits(ports, phone, await dueReleases(rig.table.table, phone))

  let held = 0
  for (const orderId of orderIds) {
    const order = await rig.table.find(orderId)
    if (order === undefined) throw new Error(`${orderId} is gone`)
    const { status, quantity, amount, withdrawal, refunds = [] } = order
    if (holdsUnits(status)) held += quantity
    if (withdrawal?.returned !== undefined) seen.returned += 1
    const [refund] = refunds
    const back = sent.get(paymentIdOf(order, 1)) ?? 0
    if (refunds.length > 1 || back > amount) violations.push(`${orderId}: ${back} of ${amount} went back`)
    if ((refund?.returned ?? 0) !== back) violations.push(`${orderId}: ${back} sent, ${refund?.returned} counted`)
    const isAllBack = back === amount && isWhollyReturned(order)
    const wasSent = order.shipment !== undefined
    if (wasSent && (status === 'refunded') !== isAllBack) violations.push(`${orderId} is ${status} with ${back} back`)
    if (!wasSent && (status === 'refunded') !== (back === amount)) violations.push(`${orderId} is ${status}`)
  }
  const booked = (await readShards(rig.stocks, phone)).map((shard) =>
    shard && 'booked' in shard ? shard.booked : Number.NaN,
  )
  const inRedis = booked.reduce((sum, n) => sum + n, 0)
  const sold = (await saleTotals(rig.table.table, phone))?.sold
  if (inRedis !== held || sold !== held) violations.push(`${held} units are held, ${inRedis} booked, ${sold} sold`)
  const left = await dueRefunds(rig.table.table)
  if (left.length > 0) violations.push(`${left.length} refunds are still due`)
  return { violations, seen }
}
