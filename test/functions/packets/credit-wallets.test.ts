import { describe, expect, it } from 'vitest'
import type { QueueMessage } from '../../../functions/lib/queue-consumer.ts'
import { creditWallets } from '../../../functions/packets/credit-wallets.ts'
import { findWallet } from '../../../functions/table/packets/wallets.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { aRain } from '../../redis/packets/rain.ts'
import { aSale, shopperIdOf } from '../../redis/support.ts'
import { openCreditor } from '../../world/consumers.ts'
import { claimMessageOf, crowdOf } from '../../world/messages.ts'

/** A sale whose packet number `n` holds `n + 1`, as the claims of `crowdOf`. */
const rainOf = (packets: number) => aRain(Array.from({ length: packets }, (_, number) => number + 1))

const sumTo = (count: number) => (count * (count + 1)) / 2

describe('credit-wallets', () => {
  it('credits a full batch of one sale in one transaction (O3, P8)', async () => {
    const sale = rainOf(40)
    const { table, telemetry, refreshed, credit, claimed } = await openCreditor([sale])
    const before = table.counted.transactions
    expect(await credit(crowdOf(sale, 33))).toEqual([])
    expect(table.counted.transactions - before).toBe(1)
    const { balances, credits } = await findWallet(table.table, shopperIdOf(7))
    expect(balances).toEqual([{ currency: 'CNY', amount: 7 }])
    expect(credits).toEqual([
      { saleId: sale.saleId, packet: 6, amount: 7, currency: 'CNY', claimedAt: 5_000, creditedAt: 7_000 },
    ])
    expect(await claimed(sale)).toBe(sumTo(33))
    expect(telemetry.counted('WalletsCredited')).toBe(33)
    expect(refreshed).toEqual([sale.saleId])
  })

  it('treats a redelivered message, in another batch or in the same, as done (O6, P8, I5)', async () => {
    const sale = rainOf(20)
    const { telemetry, credit, balance, claimed } = await openCreditor([sale])
    const batch = crowdOf(sale, 10)
    await credit(batch)
    expect(await credit(batch)).toEqual([])
    const twins = [crowdOf(sale, 1, 11), crowdOf(sale, 1, 11)].flat()
    expect(await credit([...batch, ...twins])).toEqual([])
    expect(await claimed(sale)).toBe(sumTo(11))
    expect(await balance(10)).toBe(10)
    expect(telemetry.counted('DuplicatesDropped')).toBe(20)
    expect(telemetry.counted('WalletsCredited')).toBe(11)
  })

  it('clears credited and refused claims from the outbox, and reports the admissions of new ones (O4, G7)', async () => {
    const sale = aRain([1, 2, 3])
    const { acknowledged, credit } = await openCreditor([sale])
    const admitted = { second: 5, booked: 1, stockRevision: 0 }
    const withAdmission = (message: QueueMessage): QueueMessage => ({
      ...message,
      body: JSON.stringify({ ...JSON.parse(message.body), admitted }),
    })
    const first = withAdmission(claimMessageOf({ sale, shopper: 1, packet: 0, amount: 1 }))
    const taken = withAdmission(claimMessageOf({ sale, shopper: 2, packet: 0, amount: 1 }))
    await credit([first])
    await credit([first, taken])
    const { saleId } = sale
    expect(acknowledged.completed).toEqual([{ saleId, decided: [admitted] }])
    expect(acknowledged.removed).toEqual([
      { saleId, ids: [{ shopperId: shopperIdOf(1), packet: 0 }] },
      { saleId, ids: [1, 2].map((shopper) => ({ shopperId: shopperIdOf(shopper), packet: 0 })) },
    ])
  })

  it('rejects what can never be credited to the dead-letter queue with the reason, and credits the others (O7, P8)', async () => {
    const sale = rainOf(10)
    const goods = aSale({ stock: 5 })
    const { deadLetters, telemetry, credit, claimed } = await openCreditor([sale, goods])
    const [one] = crowdOf(sale, 1)
    const poison = [
      { messageId: 'not json', body: '{' },
      { messageId: 'not a claim', body: '{"saleId":"rain"}' },
      { messageId: 'nothing in it', body: claimMessageOf({ sale, shopper: 90, packet: 1, amount: 0 }).body },
      { messageId: 'extra field', body: String(one?.body).replace('{', '{"x":1,') },
      { ...claimMessageOf({ sale: rainOf(1), shopper: 91, packet: 0, amount: 1 }), messageId: 'no such sale' },
      { ...claimMessageOf({ sale: goods, shopper: 92, packet: 0, amount: 1 }), messageId: 'no packets' },
    ]
    expect(await credit([...poison, ...crowdOf(sale, 5)])).toEqual([])
    expect(await claimed(sale)).toBe(sumTo(5))
    expect(deadLetters.letters.map(({ body }) => body)).toEqual(poison.map(({ body }) => body))
    expect(deadLetters.letters.map(({ reason }) => reason)).toEqual([
      'body must be JSON',
      'shopperId is not a valid id',
      'amount must be at least 1',
      'x is not a known field',
      expect.stringMatching(/^there is no sale sale-\d+$/),
      `${goods.saleId} has no red packets`,
    ])
    expect(telemetry.counted('DeadLettered')).toBe(6)
    expect(telemetry.counted('ClaimsRefused')).toBe(0)
  })

  it('rejects a second packet of a shopper and a second owner of a packet, and reports both (P3)', async () => {
    const sale = rainOf(10)
    const { deadLetters, telemetry, credit, claimed, balance } = await openCreditor([sale])
    await credit(crowdOf(sale, 3))
    const greedy = claimMessageOf({ sale, shopper: 1, packet: 5, amount: 6 })
    const late = claimMessageOf({ sale, shopper: 9, packet: 1, amount: 2 })
    expect(await credit([greedy, late, ...crowdOf(sale, 2, 3)])).toEqual([])
    expect(await claimed(sale)).toBe(sumTo(4))
    expect([await balance(1), await balance(9)]).toEqual([1, 0])
    expect(deadLetters.letters).toEqual([
      { body: greedy.body, reason: 'the shopper was credited with another packet of this sale' },
      { body: late.body, reason: 'the packet was credited to another shopper' },
    ])
    expect(telemetry.counted('ClaimsRefused')).toBe(2)
    const refusals = telemetry.lines.filter(({ message }) => message === 'claim refused')
    expect(refusals.map(({ level, facts }) => [level, facts.reason])).toEqual([
      ['error', 'other-packet'],
      ['error', 'packet-taken'],
    ])
    expect(JSON.stringify(telemetry.lines), 'no log says who has a packet').not.toContain('shopper-')
    deadLetters.goDown()
    expect(await credit([late]), 'comes again').toEqual([late.messageId])
  })

  it('credits claims until packets or money of the sale run out, and rejects the rest (P1, I1)', async () => {
    const sale = aRain([5, 5, 5, 5])
    const { table, deadLetters, credit, claimed } = await openCreditor([sale])
    const claims = [4, 4, 9, 3].map((amount, packet) => claimMessageOf({ sale, shopper: packet + 1, packet, amount }))
    expect(await credit(claims)).toEqual([])
    expect(await claimed(sale), 'to the cent').toBe(20)
    expect(deadLetters.letters).toEqual([])
    const more = [5, 6].map((packet) => claimMessageOf({ sale, shopper: packet + 1, packet, amount: 1 }))
    expect(await credit(more)).toEqual([])
    expect(await claimed(sale)).toBe(20)
    expect((await saleTotals(table.table, sale.saleId))?.remaining).toBe(0)
    expect(deadLetters.letters.map(({ reason }) => reason)).toEqual([
      'every packet of the sale was credited',
      'every packet of the sale was credited',
    ])
  })

  it('rejects a claim larger than what the sale has left, and credits later ones that fit (P1)', async () => {
    const sale = aRain([5, 5, 5])
    const { deadLetters, credit, claimed } = await openCreditor([sale])
    const claims = [8, 8, 7].map((amount, packet) => claimMessageOf({ sale, shopper: packet + 1, packet, amount }))
    expect(await credit(claims)).toEqual([])
    expect(await claimed(sale)).toBe(15)
    expect(deadLetters.letters).toEqual([
      { body: claims[1]?.body, reason: 'the sale has less money left than the packet holds' },
    ])
  })

  it('rejects a new claim after the budget is closed, and recognises a repeat (P1)', async () => {
    const sale = rainOf(5)
    const { table, deadLetters, credit, claimed } = await openCreditor([sale])
    await credit(crowdOf(sale, 2))
    await table.closeBudget(sale.saleId, 3, 9_000)
    expect(await credit(crowdOf(sale, 3))).toEqual([])
    expect(await claimed(sale)).toBe(3)
    expect(deadLetters.letters.map(({ reason }) => reason)).toEqual([
      'the budget of the sale is closed: what was left went back',
    ])
  })

  it('returns every message of a claim that could not be credited (I2)', async () => {
    const sale = rainOf(5)
    const { table, credit, telemetry } = await openCreditor([sale])
    const one = { sale, shopper: 1, packet: 0, amount: 1 }
    table.goDown()
    const failed = await credit([claimMessageOf(one), claimMessageOf(one, ' again')])
    expect(failed).toEqual([claimMessageOf(one), claimMessageOf(one, ' again')].map(({ messageId }) => messageId))
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['warn'])
  })

  it('keeps the credits when the shopfront cannot be refreshed, or does not answer (C8)', async () => {
    const [silent, unavailable] = [rainOf(5), rainOf(5)]
    const { ports, telemetry, claimed } = await openCreditor([silent, unavailable])
    ports.shopfront = {
      refresh: (saleId) =>
        saleId === silent.saleId ? new Promise(() => {}) : Promise.reject(new Error('S3 is unavailable')),
    }
    const messages = [...crowdOf(silent, 2), ...crowdOf(unavailable, 2)]
    expect(await creditWallets(ports, messages, ports.clock() + 30)).toEqual([])
    expect([await claimed(silent), await claimed(unavailable)]).toEqual([3, 3])
    expect(telemetry.counted('PublishFailed')).toBe(2)
  })

  it('refreshes what is left once the messages have left their outbox (C8)', async () => {
    const sale = rainOf(5)
    const { ports, acknowledged, credit } = await openCreditor([sale])
    const removed: number[] = []
    ports.shopfront = { refresh: async () => void removed.push(acknowledged.removed.length) }
    await credit(crowdOf(sale, 3))
    expect(removed).toEqual([1])
  })
})
