/**
 * Random deliveries with crashes in between keep the invariants under any behaviour of SQS and the table (O6, P3, P8). A
 * failing run prints its seed, and `FC_SEED` repeats it.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QueueMessage } from '../../../functions/lib/queue-consumer.ts'
import { creditWallets } from '../../../functions/packets/credit-wallets.ts'
import {
  creditedClaimPages,
  type RefusedReason,
  refusedSentences,
} from '../../../functions/table/packets/claim-ledger.ts'
import { conflict, onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { aRain } from '../../redis/packets/rain.ts'
import { inSample } from '../../whole-plays.ts'
import { budgetMs, openCreditor } from '../../world/consumers.ts'
import { type Claimed, claimMessageOf } from '../../world/messages.ts'
import { creditsAt, unavailable } from '../../world/wire.ts'

const packets = 12
const shoppers = 9

/** A claim as Redis may have handed it out, possibly twice after a data loss. */
const wish = fc.record({
  sale: fc.integer({ min: 0, max: 1 }),
  shopper: fc.integer({ min: 1, max: shoppers }),
  packet: fc.integer({ min: 0, max: packets - 1 }),
})

/** The fates of the transactions of an invocation: each commits, conflicts with another, or ends the function. */
const fate = fc.constantFrom(
  'done',
  'done',
  'done',
  'busy',
  'unavailable',
  'lost answer',
  'crash before',
  'crash after',
)

describe('credit-wallets under random deliveries', () => {
  it('credits each claim once, no shopper and no packet twice, never above the budget, and refuses with the true reason (O6, P1, P3, P8, I5)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(wish, { maxLength: 40 }), { minLength: 1, maxLength: 6 }),
        fc.array(fate, { maxLength: 30 }),
        fc.integer({ min: 0, max: 3 }),
        async (deliveries, fates, missing) => {
          // Less money than the packets hold: the budget is final even if Redis has handed out more.
          const amounts = Array.from({ length: packets }, (_, packet) => packet + 1)
          const sales = [aRain(amounts), aRain(amounts.slice(missing))]
          const rig = await openCreditor(sales)
          const first = new Map<string, Claimed>()
          const coming = [...fates]
          const batches = deliveries.map((delivery, batch) =>
            delivery.flatMap(({ sale: index, shopper, packet }, at) => {
              const sale = sales[index]
              if (sale === undefined) return []
              const claimed = { sale, shopper, packet, amount: packet + 1 }
              const message = claimMessageOf(claimed, `#${batch}.${at}`)
              first.set(message.body, claimed)
              return [message]
            }),
          )
          for (const batch of batches) await deliver(rig, batch, coming)
          // Redelivers what came before.
          await deliver(rig, batches.flat(), [])

          const refused = new Map(rig.deadLetters.letters.map(({ body, reason }) => [body, reason]))
          let sum = 0
          for (const sale of sales) {
            const owners = new Map<number, string>()
            for await (const page of creditedClaimPages(rig.ports.table, sale.saleId)) {
              for (const { packet, shopperId } of page) owners.set(packet, shopperId)
            }
            const claimed = await rig.claimed(sale)
            const held = [...owners.keys()].reduce((total, packet) => total + packet + 1, 0)
            expect(claimed, 'the cap counts what was credited').toBe(held)
            expect(claimed).toBeLessThanOrEqual(sale.packets?.totalAmount ?? 0)
            expect(new Set(owners.values()).size, 'a shopper has one packet').toBe(owners.size)
            for (const [body, one] of first) {
              const isCredited = one.sale === sale && owners.get(one.packet) === `shopper-${one.shopper}`
              if (one.sale !== sale) continue
              const reason = refused.get(body)
              expect(isCredited, 'nothing is lost').toBe(reason === undefined)
              if (reason === undefined) continue
              // Nothing is taken back, so the reason is true now if it was true then.
              const left = { packets: sale.stock - owners.size, money: (sale.packets?.totalAmount ?? 0) - claimed }
              const truths = {
                'other-packet': [...owners.values()].includes(`shopper-${one.shopper}`),
                'packet-taken': owners.has(one.packet),
                'over-cap': left.packets < 1,
                'over-budget': left.money < one.amount,
              }
              const why = Object.entries(truths)
                .filter(([, isTrue]) => isTrue)
                .map(([name]) => refusedSentences[name as RefusedReason])
              expect(why).toContain(reason)
            }
            sum += claimed
          }
          let balances = 0
          for (let shopper = 1; shopper <= shoppers; shopper += 1) balances += await rig.balance(shopper)
          expect(balances, 'every credit is in a wallet, and nothing else').toBe(sum)
        },
      ),
      { numRuns: inSample(50, 150), ...(process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {}) },
    )
  })
})

type Rig = Awaited<ReturnType<typeof openCreditor>>

/** Delivers a batch until all of it is done; each transaction meets the next of `fates`, and commits when none is left. */
async function deliver(rig: Rig, batch: readonly QueueMessage[], fates: string[]): Promise<void> {
  let left = batch
  while (left.length > 0) {
    const crashed = Promise.withResolvers<readonly string[]>()
    const everything = left.map(({ messageId }) => messageId)
    const never = () => new Promise<never>(() => {})
    const table = onWireAt(rig.ports.table, creditsAt, async (send) => {
      const what = fates.shift() ?? 'done'
      if (what === 'busy') throw conflict()
      if (what === 'unavailable') return unavailable()
      if (what === 'crash before') {
        crashed.resolve(everything)
        return never()
      }
      const result = await send()
      if (what === 'lost answer') return unavailable()
      if (what !== 'crash after') return result
      crashed.resolve(everything)
      return never()
    })
    const deadline = rig.ports.clock() + budgetMs
    const invocation = creditWallets({ ...rig.ports, table }, left, deadline)
    const again = new Set(await Promise.race([invocation, crashed.promise]))
    left = left.filter(({ messageId }) => again.has(messageId))
  }
}
