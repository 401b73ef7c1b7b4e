/** reserve-many beside reserve: the same purchases on two copies of a sale. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultThrottle, type Sale } from '../../../core/sale/sale.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import { type Purchase, type Reservation, reserve } from '../../../redis/buy/reserve.ts'
import source from '../../../redis/buy/reserve-many.lua'
import { reserveMany } from '../../../redis/buy/reserve-many.ts'
import type { Command, Commander } from '../../../redis/command.ts'
import { RedisReplyError, RedisUnavailable } from '../../../redis/errors.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { release } from '../../../redis/orders/release.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { readStock, removeStock } from '../../../redis/stock/stock.ts'
import { unfreeze } from '../../../redis/stock/unfreeze.ts'
import { flip, warmStock } from '../../../redis/stock/warm.ts'
import {
  aPurchase,
  aSale,
  aWarmSale,
  commandCounts,
  everythingOf,
  nothingHeldBack,
  orderIdOf,
  raw,
  shopperIdOf,
  tokenOf,
  useRedisRig,
  waitingIn,
} from '../support.ts'

const rig = useRedisRig()

const kindsOf = (answers: readonly (Reservation | Error)[]) =>
  answers.map((answer) => (answer instanceof Error ? answer.name : answer.kind))

/** Sends on to `redis`, and notes each command. */
function noting(redis: Commander, sent: Command[] = []): Commander & { sent: Command[] } {
  return {
    sent,
    exec(args) {
      sent.push(args)
      return redis.exec(args)
    },
  }
}

/** How many arguments of a script a command has, without its keys. */
const argumentsIn = ([, , keys, ...rest]: Command) => rest.slice(Number(keys))

describe('reserveMany', () => {
  it('decides the purchases of new shoppers in one call, in their order (S8)', async () => {
    const sale = await aWarmSale(rig.redis, { stock: 4, maxPerOrder: 3, limitPerShopper: 3 })
    const redis = noting(rig.redis)
    // The first call of a connection learns the facts of the sale.
    expect(await reserveMany(redis, [aPurchase(sale, 9, 1, { startToken: tokenOf(0) })])).toEqual([
      { kind: 'stale-page' },
    ])
    redis.sent.length = 0
    const asked = [2, 3, 1, 1, 1].map((quantity, at) => aPurchase(sale, at + 1, 1, { quantity }))
    const answers = await reserveMany(redis, asked)

    const left = (remaining: number) => ({ remaining, stockRevision: 0, booked: 4 - remaining })
    expect(answers).toMatchObject([
      { kind: 'reserved', quantity: 2, ...left(2) },
      { kind: 'sold-out', ...left(2) },
      { kind: 'reserved', quantity: 1, ...left(1) },
      { kind: 'reserved', quantity: 1, ...left(0) },
      { kind: 'sold-out', ...left(0) },
    ])
    expect(redis.sent).toHaveLength(1)
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ total: 4, available: 0 })
  })

  it('costs Redis one read and two writes for all of them', async () => {
    const sale = await aWarmSale(rig.redis, { stock: 100 })
    await reserveMany(rig.redis, [aPurchase(sale, 1)])
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    await reserveMany(
      rig.redis,
      Array.from({ length: 50 }, (_, at) => aPurchase(sale, at + 2)),
    )
    const counts = await commandCounts(rig.redis)
    expect(['evalsha', 'hmget', 'hset'].map((name) => counts.get(name))).toEqual([1, 1, 2])
  })

  it('sends the tag, and five arguments for each order; nothing of a refused one but its shopper', async () => {
    const sale = await aWarmSale(rig.redis)
    const redis = noting(rig.redis)
    const [made, refused] = [aPurchase(sale, 1, 1, { quantity: 2 }), aPurchase(sale, 2, 1, { quantity: 0 })]
    const [answer] = await reserveMany(redis, [made, refused])
    const word = made.orderId.slice(-26)
    const message = answer !== undefined && 'message' in answer ? JSON.stringify(answer.message) : ''
    expect(argumentsIn(redis.sent.at(-1) ?? ['none']).slice(1)).toEqual([
      ...[`@${made.shopperId}`, '2', `${word}=2@5000`, word, message],
      ...[`@${refused.shopperId}`, '0', '', '', ''],
    ])
    expect((await waitingIn(rig.redis, sale.saleId)).map(({ body }) => body)).toEqual([message])
  })

  it('asks for at most 200 orders in a call, and for more in further calls', async () => {
    const sale = await aWarmSale(rig.redis, { stock: 1000 })
    await reserveMany(rig.redis, [aPurchase(sale, 1)])
    const redis = noting(rig.redis)
    const asked = Array.from({ length: maxOrdersPerCall + 1 }, (_, at) => aPurchase(sale, at + 2))
    const answers = await reserveMany(redis, asked)
    expect(new Set(kindsOf(answers))).toEqual(new Set(['reserved']))
    // The first call of a connection learns the facts of the sale.
    expect(redis.sent.map((command) => argumentsIn(command).length)).toEqual([1, 1001, 6])
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ available: 798 })
  })

  it('asks for the purchases of one shopper one after the other, and for those of others meanwhile', async () => {
    const sale = await aWarmSale(rig.redis, { limitPerShopper: 9 })
    for (const shopper of [1, 2]) await reserve(rig.redis, aPurchase(sale, shopper))
    const underWay: string[] = []
    const together: string[][] = []
    const redis: Commander = {
      async exec(args) {
        const [shopper = ''] = argumentsIn(args)
        underWay.push(shopper)
        together.push(underWay.filter((one) => one.startsWith('@')))
        const reply = await rig.redis.exec(args)
        underWay.splice(underWay.indexOf(shopper), 1)
        return reply
      },
    }
    const orders = [2, 3, 4].flatMap((order) => [1, 2].map((shopper) => aPurchase(sale, shopper, order)))
    expect(new Set(kindsOf(await reserveMany(redis, orders)))).toEqual(new Set(['reserved']))
    for (const shoppers of together) expect(new Set(shoppers).size).toBe(shoppers.length)
    expect(Math.max(...together.map(({ length }) => length))).toBe(2)
  })

  it('makes no call for a batch of which it can decide nothing', async () => {
    const sale = await aWarmSale(rig.redis)
    const redis = noting(rig.redis)
    await reserveMany(redis, [aPurchase(sale, 1)])
    redis.sent.length = 0
    expect(kindsOf(await reserveMany(redis, [aPurchase(sale, 2, 1, { quantity: 3 })]))).toEqual(['invalid-request'])
    expect(redis.sent).toHaveLength(1)
  })

  it('answers unknown-sale for each when the stock is missing, also one that was known', async () => {
    const sale = aSale()
    const asked = [aPurchase(sale, 1), aPurchase(sale, 2, 1, { quantity: 9 }), aPurchase(sale, 2, 2)]
    expect(kindsOf(await reserveMany(rig.redis, asked))).toEqual(asked.map(() => 'unknown-sale'))
    await warmStock(rig.redis, sale)
    await reserveMany(rig.redis, [aPurchase(sale, 5)])
    await removeStock(rig.redis, sale.saleId)
    expect(kindsOf(await reserveMany(rig.redis, asked))).toEqual(asked.map(() => 'unknown-sale'))
  })

  it('asks for each alone when the sale changes as often as it is asked', async () => {
    const sale = await aWarmSale(rig.redis, { stock: 10 })
    let version = 1
    const redis: Commander = {
      async exec(args) {
        // A script with more than its tag decides; one with a tag alone only learns the facts.
        version += 1
        if (args[2] === '2' && argumentsIn(args).length > 7)
          await flip(rig.redis, { ...sale, version, updatedAt: version, limitPerShopper: 2 + (version % 5) })
        return rig.redis.exec(args)
      },
    }
    const asked = [aPurchase(sale, 1), aPurchase(sale, 2), aPurchase(sale, 3)]
    expect(kindsOf(await reserveMany(redis, asked))).toEqual(['reserved', 'reserved', 'reserved'])
  })

  it('sells nothing that is not there when more is booked than exists', async () => {
    const sale = await aWarmSale(rig.redis, { stock: 5 })
    const asked = [aPurchase(sale, 1), aPurchase(sale, 2)]
    await raw(rig.redis, 'HSET', stockKeys(sale.saleId).stock, 'left', '-2')
    const soldOut = { kind: 'sold-out', remaining: 0, stockRevision: 0, booked: 7 }
    expect(await reserveMany(rig.redis, asked)).toEqual([soldOut, soldOut])
    expect(await reserve(rig.redis, aPurchase(sale, 3))).toEqual(soldOut)
  })

  it('keeps the answers of others when the call for one fails', async () => {
    const sale = await aWarmSale(rig.redis)
    for (const shopper of [1, 3]) await reserve(rig.redis, aPurchase(sale, shopper))
    const redis: Commander = {
      exec(args) {
        if (argumentsIn(args)[0] === `@${shopperIdOf(1)}`) return Promise.reject(new Error('no reply'))
        return rig.redis.exec(args)
      },
    }
    const answers = await reserveMany(redis, [aPurchase(sale, 1), aPurchase(sale, 2), aPurchase(sale, 3)])
    expect(answers).toMatchObject([expect.any(RedisUnavailable), { kind: 'reserved' }, { kind: 'repeat' }])
  })

  it('keeps the answers of the first call when the second one fails', async () => {
    const sale = await aWarmSale(rig.redis, { stock: 1000 })
    const redis = noting(rig.redis)
    await reserveMany(redis, [aPurchase(sale, 1)])
    redis.sent.length = 0
    const failing: Commander = {
      exec: (args) => (redis.sent.length > 1 ? Promise.reject(new Error('no reply')) : redis.exec(args)),
    }
    const asked = Array.from({ length: 3 * maxOrdersPerCall }, (_, at) => aPurchase(sale, at + 2))
    const kinds = kindsOf(await reserveMany(failing, asked))
    expect(kinds.map((kind) => kind === 'reserved')).toEqual(asked.map((_, at) => at < maxOrdersPerCall))
    expect(new Set(kinds.slice(maxOrdersPerCall))).toEqual(new Set(['RedisUnavailable']))
  })

  it('answers each with the error when the call for all fails, and a repeat finds what it took (I5)', async () => {
    const sale = await aWarmSale(rig.redis)
    let isLost = false
    const redis: Commander = {
      async exec(args) {
        const reply = await rig.redis.exec(args)
        if (isLost) throw new Error('no reply')
        return reply
      },
    }
    await reserveMany(redis, [aPurchase(sale, 7)])
    isLost = true
    const asked = [aPurchase(sale, 1), aPurchase(sale, 1, 2), aPurchase(sale, 2)]
    const lost = await reserveMany(redis, asked)
    expect(kindsOf(lost)).toEqual(['RedisUnavailable', 'RedisUnavailable', 'RedisUnavailable'])
    isLost = false
    expect(kindsOf(await reserveMany(redis, asked))).toEqual(['repeat', 'reserved', 'repeat'])
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ booked: 4 })
  })

  it('loses the answers of no other sale when one fails', async () => {
    const [broken, sound] = [await aWarmSale(rig.redis), await aWarmSale(rig.redis)]
    const redis: Commander = {
      exec: (args) =>
        args.includes(stockKeys(broken.saleId).stock)
          ? Promise.reject(new RedisReplyError('LOADING Redis is loading'))
          : rig.redis.exec(args),
    }
    const answers = await reserveMany(redis, [aPurchase(broken, 1), aPurchase(sound, 1)])
    expect(kindsOf(answers)).toEqual(['RedisUnavailable', 'reserved'])
  })

  it('stays within what a script can unpack: its header and the bound of a call agree', () => {
    expect(source).toContain(`at most ${maxOrdersPerCall} orders`)
  })
})

/** Purchases that arrive at one moment; one of them may be asked twice. */
type Step =
  | { do: 'reserve'; afterMs: number; asked: Asked[] }
  | { do: 'release'; sale: number; shopper: number; order: number }
  | { do: 'add'; sale: number; delta: number }
  | { do: 'flip'; sale: number; flag: Sale['flag']; limit: number }
  | { do: 'freeze' | 'unfreeze'; sale: number }
type Asked = {
  sale: number
  shopper: number
  order: number
  quantity: number
  startToken: number
}

const shoppers = 12
const quantity = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, Number.NaN, 2 ** 53, Number.MAX_VALUE) },
)
const someSale = fc.nat({ max: 2 })
const someShopper = { shopper: fc.integer({ min: 1, max: shoppers }), order: fc.integer({ min: 1, max: 3 }) }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      // Sometimes back: each function that forwards purchases has its own clock.
      afterMs: fc.integer({ min: -300, max: 900 }),
      asked: fc.array(
        fc.record({
          sale: someSale,
          ...someShopper,
          quantity,
          startToken: fc.nat({ max: 9 }).map((n) => (n === 0 ? 0 : 1)),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('release' as const), sale: someSale, ...someShopper }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      sale: someSale,
      delta: fc.integer({ min: -4, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('flip' as const),
      sale: someSale,
      flag: fc.constantFrom<Sale['flag']>('on', 'on', 'paused', 'off'),
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('freeze', 'unfreeze'), sale: someSale }) },
)
const life = fc.record({
  stocks: fc.tuple(fc.constant(-1), fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 6 })),
  limit: fc.integer({ min: 1, max: 5 }),
  max: fc.integer({ min: 1, max: 5 }),
  tries: fc.integer({ min: 1, max: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 25 }),
})

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

const ask = (sale: number, shopper: number, change: Partial<Asked> = {}): Asked => ({
  ...{ sale, shopper, order: 1, quantity: 1, startToken: 1 },
  ...change,
})
const reserveAll = (...asked: Asked[]): Step => ({ do: 'reserve', afterMs: 0, asked })

/** A life with each kind of answer, so that no run is without one. */
const lifeWithAll: Life = {
  ...{ stocks: [-1, 5, 1], limit: 1, max: 5, tries: 2 },
  steps: [
    reserveAll(ask(1, 1), ask(1, 1), ask(1, 1, { order: 2 }), ask(1, 1, { order: 3 })),
    reserveAll(ask(1, 2, { quantity: -1 }), ask(1, 3, { startToken: 0 }), ask(2, 1), ask(2, 2)),
    { do: 'flip', sale: 1, flag: 'paused', limit: 1 },
    { do: 'flip', sale: 2, flag: 'off', limit: 1 },
    { do: 'freeze', sale: 0 },
    reserveAll(ask(1, 4), ask(2, 4), ask(0, 4)),
  ],
}

/** One sale twice: `many` is asked for all at once, `single` for one after the other. */
type Twins = { many: Sale; single: Sale; changes: number }

/** Both with the same change; every script is safe to be asked on both. */
async function onBoth(twins: Twins, change: (sale: Sale) => Promise<unknown>) {
  for (const sale of [twins.many, twins.single]) await change(sale)
}

async function play(twins: Twins, action: Exclude<Step, { do: 'reserve' }>) {
  const { redis } = rig
  if (action.do === 'release') {
    const { shopper, order } = action
    await onBoth(twins, ({ saleId }) =>
      release(redis, saleId, [{ orderId: orderIdOf(saleId, shopper, order), shopperId: shopperIdOf(shopper) }]),
    )
  } else if (action.do === 'add') {
    twins.changes += 1
    const numbered = { number: twins.changes, delta: action.delta }
    if (twins.many.stock !== -1) await onBoth(twins, ({ saleId }) => addStock(redis, saleId, numbered))
  } else if (action.do === 'flip') {
    const { flag, limit } = action
    for (const which of ['many', 'single'] as const) {
      const sale = twins[which]
      twins[which] = { ...sale, flag, limitPerShopper: limit, version: sale.version + 1 }
    }
    await onBoth(twins, (sale) => flip(redis, sale))
  } else if (action.do === 'freeze') {
    await onBoth(twins, ({ saleId }) => freeze(redis, saleId))
  } else {
    await onBoth(twins, async (sale) => {
      const stored = await readStock(redis, sale.saleId)
      const stock = stored?.total ?? sale.stock
      await unfreeze(redis, { ...sale, stock, lastChange: twins.changes }, stored?.stockRevision ?? 0, nothingHeldBack)
    })
  }
}

const messageIn = /^\{.*"requestId":"(request-\d+)"/

/**
 * The places of `asked` in the order in which Redis decided: that of the last command with the
 * message. One without a message takes nothing, so its place is the first.
 */
function decidedOrder(sent: readonly Command[], asked: readonly Purchase[]): number[] {
  const last = new Map<string, number>()
  const requests = sent.flatMap(argumentsIn).flatMap((argument) => messageIn.exec(argument)?.[1] ?? [])
  for (const [at, request] of requests.entries()) last.set(request, at)
  const places = asked.map(({ requestId }, at) => ({ at, decided: last.get(requestId) ?? -1 }))
  return places.toSorted((a, b) => a.decided - b.decided).map(({ at }) => at)
}

/** The same text for both of two twins: their ids differ, and each change has a tag of its own. */
const withoutNames = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll(/sale-\d+/g, 'sale')
    .replaceAll(/\["tag","[^"]+"\]/g, '')

const contentOf = async ({ saleId }: Sale) => {
  const [stock, outbox] = await everythingOf(rig.redis, saleId)
  return withoutNames([stock, outbox].map((fields) => [...(fields ?? [])].toSorted()))
}

describe('any sequence of purchases and changes of sales', () => {
  it('has the answers and the stock of reserve, asked one after the other in the order of the decisions (S9, I1, I3, I5, R2)', async () => {
    const found = new Set<string>()
    await fc.assert(
      fc.asyncProperty(life, async ({ stocks, limit, max, tries, steps }) => {
        const throttle = { ...defaultThrottle, perShopper: { limit: tries, windowSeconds: 2 } }
        const limits = { limitPerShopper: limit, maxPerOrder: max, throttle, endsAt: 200_000 }
        const all = await Promise.all(
          stocks.map(async (stock): Promise<Twins> => {
            const many = await aWarmSale(rig.redis, { stock, ...limits })
            return { many, single: await aWarmSale(rig.redis, { stock, ...limits }), changes: 0 }
          }),
        )
        const twinsOf = (sale: number) => {
          const twins = all[sale]
          if (twins === undefined) throw new Error('there are three sales')
          return twins
        }
        const redis = noting(rig.redis)
        let now = 100_000
        for (const action of steps) {
          if (action.do !== 'reserve') {
            await play(twinsOf(action.sale), action)
            continue
          }
          now += action.afterMs
          const purchasesOf = (which: 'many' | 'single') =>
            action.asked.map(({ sale, shopper, order, quantity, startToken }, at) =>
              aPurchase(twinsOf(sale)[which], shopper, order, {
                ...{ quantity, now, requestId: `request-${at}` },
                startToken: tokenOf(startToken),
              }),
            )
          const [asked, alone] = [purchasesOf('many'), purchasesOf('single')]
          redis.sent.length = 0
          const answers = await reserveMany(redis, asked)
          const order = decidedOrder(redis.sent, asked)
          const expected: unknown[] = []
          for (const at of order) {
            const purchase = alone[at]
            if (purchase !== undefined) expected[at] = await reserve(rig.redis, purchase)
          }
          expect(withoutNames(answers)).toBe(withoutNames(expected))
          for (const own of Map.groupBy(order, (at) => `${asked[at]?.saleId} ${asked[at]?.shopperId}`).values()) {
            expect(own).toEqual(own.toSorted((a, b) => a - b))
          }
          for (const kind of kindsOf(answers)) found.add(kind)
        }
        for (const { many, single } of all) expect(await contentOf(many)).toBe(await contentOf(single))
      }),
      {
        numRuns: 100,
        examples: [[lifeWithAll]],
        ...(process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {}),
      },
    )
    const everyKind = ['reserved', 'repeat', 'sold-out', 'limit-reached', 'invalid-request', 'too-many-requests']
    const shut = ['paused', 'not-started', 'stale-page', 'unavailable']
    expect(found).toEqual(new Set([...everyKind, ...shut]))
  })
})
