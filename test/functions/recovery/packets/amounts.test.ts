/**
 * Random plays of a red-packet sale through the real pipeline: shoppers claim, functions are killed between any two steps,
 * messages are late, duplicated or lost, and Redis is lost or rolled back. At rest the claimed and the waiting amounts add up
 * to the whole, to the cent. A failing play prints its seed, and `FC_SEED` repeats it.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OrderMessage } from '../../../../core/orders/order-message.ts'
import type { Table } from '../../../../functions/lib/shop/shop.ts'
import { capPartWriter } from '../../../../functions/orders/cap-part-writer.ts'
import { writeOrders } from '../../../../functions/orders/write-orders.ts'
import { closeDelayMs } from '../../../../functions/recovery/packets/close-budget.ts'
import { holdAgeMs } from '../../../../functions/recovery/stock/compare-holds.ts'
import { deliveryMs } from '../../../../functions/recovery/stock/held-back.ts'
import { reconcile } from '../../../../functions/repair/reconcile.ts'
import { withOrderNumbers } from '../../../../functions/table/orders/order-numbers.ts'
import { dynamoOrderWriter } from '../../../../functions/table/orders/order-writer.ts'
import { conflict, onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import { readStock } from '../../../../redis/stock/stock.ts'
import { claimIdOf } from '../../../redis/packets/rain.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { inSample } from '../../../whole-plays.ts'
import { budgetMs, consumersOf } from '../../../world/consumers.ts'
import { phone } from '../../../world/stock-record.ts'
import { unavailable } from '../../../world/wire.ts'
import { type World, world } from '../../../world/world.ts'
import { cutOffAt } from '../cut-off.ts'
import { count, rainOf, totalAmount } from '../rain.ts'

const server = useRedis()
const minute = 60_000
const shoppers = 16

/** The outcome of a writer's transaction. */
const fates = ['done', 'done', 'done', 'busy', 'unavailable', 'lost answer', 'crash before', 'crash after'] as const
type Fate = (typeof fates)[number]

const shopper = fc.integer({ min: 1, max: shoppers })
const some = fc.nat(5)
const where = fc.constantFrom('before' as const, 'after' as const)
const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ what: fc.constant('claim' as const), shopper, isSent: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('write' as const),
      from: some,
      fates: fc.array(fc.constantFrom(...fates), { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('repeat' as const, 'die' as const), from: some }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('reconcile' as const), minutes: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('killed' as const), call: fc.integer({ min: 1, max: 150 }), where }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constantFrom('lose' as const, 'keep' as const, 'fall back' as const) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** One red-packet sale in a world of its own. */
async function openPlay() {
  const own = await world({ redis: server })
  const { open, claimOnce, money, waiting, counts } = rainOf(server, () => own)
  const { writerPorts, deadLetters } = consumersOf(own)
  await open({ endsAt: own.clock.now + 86_400_000 })
  /** Amounts that a shopper was answered. */
  const answered = new Map<number, Set<number>>()
  /** Shoppers whose message was nowhere but in Redis when that was lost. */
  const doomed = new Set<number>()
  const unsent = new Set<number>()
  const delivered: OrderMessage[] = []
  /** The older state of Redis, and who was unsent in it. */
  let kept: { unsent: ReadonlySet<number>; restore: () => Promise<void> } | undefined

  const loses = (all: ReadonlySet<number> = new Set()) => {
    for (const one of unsent) if (!all.has(one)) doomed.add(one)
  }

  async function write(messages: readonly OrderMessage[], coming: Fate[]): Promise<void> {
    delivered.push(...messages)
    let left = messages.map((message, at) => ({ messageId: `${at}`, body: JSON.stringify(message) }))
    while (left.length > 0) {
      const died = Promise.withResolvers<readonly string[]>()
      const everything = left.map(({ messageId }) => messageId)
      const die = () => {
        died.resolve(everything)
        return new Promise<never>(() => {})
      }
      const table = onWireAt(own.ports.table, /^transact .*\bORDERS\b/, async (send) => {
        const fate = coming.shift() ?? 'done'
        if (fate === 'busy') throw conflict()
        if (fate === 'unavailable') return unavailable()
        if (fate === 'crash before') return die()
        const answer = await send()
        if (fate === 'lost answer') return unavailable()
        return fate === 'crash after' ? die() : answer
      })
      const ports = { ...writerPorts, writer: bookOf(table) }
      const invocation = writeOrders(ports, left, own.clock.now + budgetMs)
      const again = new Set(await Promise.race([invocation, died.promise]))
      left = left.filter(({ messageId }) => again.has(messageId))
    }
  }

  const runOnce = (ports = own.ports) =>
    reconcile(ports, { minAgeMs: 10_000, holdAgeMs, full: false }, own.clock.now + 25_000)

  const play = async (one: Step): Promise<unknown> => {
    const { messages, dead } = own.queue
    switch (one.what) {
      case 'claim': {
        const claimed = await claimOnce(one.shopper).catch(() => undefined)
        const packet =
          claimed?.kind === 'reserved' ? claimed.message.packet : claimed?.kind === 'repeat' && claimed.packet
        if (claimed === undefined || !packet) return
        answered.set(one.shopper, (answered.get(one.shopper) ?? new Set()).add(packet.amount))
        if (claimed.kind !== 'reserved') return
        if (one.isSent) messages.push(claimed.message)
        else unsent.add(one.shopper)
        return
      }
      case 'write':
        return write(messages.splice(one.from, 5), [...one.fates])
      case 'repeat':
        return write(delivered.slice(one.from, one.from + 2), [])
      case 'die':
        return dead.push(...messages.splice(one.from, 1))
      case 'reconcile':
        for (let run = 0; run < one.minutes; run += 1) {
          own.clock.now += minute
          await runOnce()
        }
        return
      case 'killed':
        own.clock.now += minute
        return runOnce(cutOffAt(own.ports, ['stock', 'gate', 'table'], one.call, one.where).ports).catch(
          () => undefined,
        )
      case 'lose':
        loses()
        return own.loseStock()
      case 'keep':
        kept = { unsent: new Set(unsent), restore: await own.keepStock() }
        return
      case 'fall back':
        if (kept !== undefined) loses(kept.unsent)
        await kept?.restore()
        kept = undefined
    }
  }

  /** Delivers everything in flight, and lets the scheduled runs repair the rest. */
  async function rest(): Promise<void> {
    for (let passed = 0; passed < 2 * deliveryMs + 10 * minute; passed += 2 * minute) {
      own.queue.messages.push(...own.queue.dead.splice(0))
      await write(own.queue.messages.splice(0), [])
      own.clock.now += 2 * minute
      await runOnce()
    }
  }

  /** The amounts of written orders by their shopper, and why the others were rejected. */
  async function written(): Promise<Map<number, number | string | undefined>> {
    const found = new Map<number, number | string | undefined>()
    for (const one of answered.keys()) {
      const order = await own.table.find(claimIdOf({ saleId: phone }, one))
      found.set(one, order?.status === 'fulfilled' ? order.packet?.amount : order?.reason)
    }
    return found
  }

  return { own, play, rest, written, answered, doomed, deadLetters, money, waiting, counts }
}

const bookOf = (table: Table): World['book'] =>
  withOrderNumbers(table, capPartWriter({ writer: dynamoOrderWriter(table), table, random: Math.random }))

const sum = (amounts: Iterable<number>) => [...amounts].reduce((all, amount) => all + amount, 0)

describe('a rain of random events', () => {
  it('has all its money in wallets and waiting packets, to the cent, and each claim ends as one order (P1, P3, P8, P10, I2, I4, I5, O4, O6)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
        const { own, play, rest, written, answered, doomed, deadLetters, money, waiting, counts } = await openPlay()
        for (const one of steps) await play(one)
        await rest()
        const ended = await written()
        const hasLost = steps.some(({ what }) => what === 'lose' || what === 'fall back')
        for (const [one, end] of ended) {
          if (doomed.has(one) && end === undefined) continue
          expect(end, `the claim of shopper ${one} became an order`).toBeDefined()
          if (!hasLost)
            expect(new Set([end]), `shopper ${one} has the packet that was answered`).toEqual(answered.get(one))
          else if (typeof end === 'number') expect(answered.get(one)).toContain(end)
        }
        const taken = [...ended.values()].filter((amount) => typeof amount === 'number')
        expect(await money()).toEqual({ budget: totalAmount, claimed: sum(taken) })
        expect(await readStock(server, phone)).toMatchObject({ booked: taken.length, heldBack: 0, frozen: false })
        expect(await counts()).toMatchObject({ waiting: count - taken.length })
        expect(sum((await waiting()).map(({ amount }) => amount))).toBe(totalAmount - sum(taken))
        expect(deadLetters.letters).toEqual([])

        own.clock.now = (await own.sale()).endsAt + closeDelayMs
        await play({ what: 'reconcile', minutes: 3 })
        expect(await money()).toMatchObject({ claimed: sum(taken), closedAt: expect.any(Number) })
        const returned = own.audit().filter(({ what }) => what === 'return')
        expect(returned).toMatchObject([{ after: { claimed: sum(taken), returned: totalAmount - sum(taken) } }])
      }),
      { numRuns: inSample(12, 150), ...(process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {}) },
    )
  })
})
