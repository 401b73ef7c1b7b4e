/**
 * Reserves units for many purchases with few calls, where one process has many at the same time.
 *
 * Each has the answer that `reserve` would give it. Purchases of different shoppers are requests of
 * one moment, so any order of them is right: reserve-many.lua decides those of new shoppers in one
 * call, and `reserve` all others, as those with a basket. Purchases of one shopper are decided in their order.
 */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import { batchesOf } from '../batch.ts'
import type { Commander, Stocks } from '../command.ts'
import { errorOf } from '../errors.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import { byHome } from '../shards.ts'
import { ofAllShards, orderOf, type Purchase, type Reservation, reserve } from './reserve.ts'
import source from './reserve-many.lua'
import { knownFacts, mostTurns, rememberFacts, type SaleFacts, saleFactsIn, stockLeft } from './sale-facts.ts'

export const reserveManyScript = defineScript('reserve-many', source)

export const reserveManyCodes = {
  decided: 1,
  'stale-facts': 3,
  'unknown-sale': luaCodes['unknown-sale'],
} as const

/**
 * The answer to each of `purchases`, or why it is unknown: RedisUnavailable or UnexpectedReply,
 * after which the purchase is safe to repeat. An error of one leaves the answers of others as they
 * are. Never rejects.
 */
export async function reserveMany(stocks: Stocks, purchases: readonly Purchase[]): Promise<(Reservation | Error)[]> {
  const answers: (Reservation | Error)[] = []
  for (const batch of batchesOf(purchases)) {
    const decided = await reserveNew(stocks, batch)
    const last = new Map<ShopperId, Promise<unknown>>()
    const all = batch.map((purchase, at) => {
      const answer = decided[at]
      if (answer !== undefined) return answer
      const before = last.get(purchase.shopperId) ?? Promise.resolve()
      const alone = before.then(() => reserve(stocks, purchase).catch(errorOf))
      last.set(purchase.shopperId, alone)
      return alone
    })
    answers.push(...(await Promise.all(all)))
  }
  return answers
}

/**
 * The answer to each of at most `maxOrdersPerCall` purchases that the script may decide: those of
 * new shoppers, one each. Undefined for the others: `reserve` must be asked for them afterwards, for
 * those of one shopper in their order. Never rejects, and has errors as `reserveMany` has.
 */
async function reserveNew(stocks: Stocks, purchases: readonly Purchase[]): Promise<Answers> {
  const answers: Answers = new Array(purchases.length).fill(undefined)
  const asked = purchases.map((purchase, at) => ({ purchase, at, shopperId: purchase.shopperId }))
  const decide = async (saleId: SaleId, shard: Commander, some: readonly Asked[]) => {
    try {
      await decideNew(shard, saleId, some, answers)
      if (shard.shard !== undefined) await answerForAllShards(shard, some, answers)
    } catch (error) {
      for (const { at } of some) answers[at] = errorOf(error)
    }
  }
  const bySale = [...Map.groupBy(asked, ({ purchase }) => purchase.saleId)]
  const decideAll = async ([saleId, ofSale]: [SaleId, Asked[]]) => {
    try {
      const homes = await byHome(stocks, saleId, ofSale)
      await Promise.all(Array.from(homes, ([shard, some]) => decide(saleId, shard, some)))
    } catch (error) {
      for (const { at } of ofSale) answers[at] = errorOf(error)
    }
  }
  await Promise.all(bySale.map(decideAll))
  return answers
}

/** Purchases of as many units have the same wish. */
async function answerForAllShards(shard: Commander, some: readonly Asked[], answers: Answers): Promise<void> {
  const soldOut = new Map<number, Promise<Reservation>>()
  const answerOf = (purchase: Purchase, answer: Reservation) => {
    if (answer.kind !== 'sold-out') return ofAllShards(shard, purchase, answer)
    const known = soldOut.get(purchase.quantity) ?? ofAllShards(shard, purchase, answer)
    soldOut.set(purchase.quantity, known)
    return known
  }
  for (const { purchase, at } of some) {
    const answer = answers[at]
    if (answer !== undefined && !(answer instanceof Error)) answers[at] = await answerOf(purchase, answer)
  }
}

type Answers = (Reservation | Error | undefined)[]

/** A purchase with its place among all. */
type Asked = { purchase: Purchase; shopperId: ShopperId; at: number }

/** A purchase that the script may decide, and its order as the script reads it. */
type Ready = { asked: Asked; order: ReturnType<typeof orderOf> }

/** @throws RedisUnavailable, UnexpectedReply */
async function decideNew(redis: Commander, saleId: SaleId, asked: readonly Asked[], answers: Answers) {
  const { stock, outbox } = stockKeys(saleId, redis.shard)
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const facts = knownFacts(redis, saleId)
    const ready = readyBy(facts, asked)
    if (facts !== undefined && ready.length === 0) return
    const reply = await reserveManyScript.run(redis, [stock, outbox], argumentsFor(facts, ready))
    const [code, ...rest] = reply
    const kind = kindOf(reserveManyCodes, code, 'reserve-many')
    if (kind === 'unknown-sale') {
      for (const { at } of asked) answers[at] = { kind }
      return
    }
    if (kind === 'stale-facts') rememberFacts(redis, saleId, saleFactsIn(rest))
    else if (facts !== undefined) return answerDecided(ready, facts, rest, answers)
  }
}

/**
 * What the script may decide by `facts`: the first purchase of each shopper, unless it is for more
 * units than a new shopper may have, or for a basket.
 */
function readyBy(facts: SaleFacts | undefined, asked: readonly Asked[]): Ready[] {
  const ready: Ready[] = []
  const shoppers = new Set<ShopperId>()
  for (const one of facts === undefined ? [] : asked) {
    const { shopperId } = one.purchase
    if (shoppers.has(shopperId)) continue
    shoppers.add(shopperId)
    const order = orderOf(one.purchase, facts)
    if (order.whyNot !== 'check') ready.push({ asked: one, order })
  }
  return ready
}

function argumentsFor(facts: SaleFacts | undefined, ready: readonly Ready[]): string[] {
  const args = [facts?.tag ?? '']
  for (const { order } of ready) {
    if (order.refusal !== undefined) args.push(order.shopper, '0', '', '', '')
    else args.push(order.shopper, order.quantity, order.first, order.order, order.body)
  }
  return args
}

function answerDecided(
  ready: readonly Ready[],
  facts: SaleFacts,
  [before, ...places]: readonly unknown[],
  answers: Answers,
): void {
  const others = new Set(places)
  let left = integer(before, 'left')
  for (const [index, { asked, order }] of ready.entries()) {
    const { at, purchase } = asked
    const { message, refusal } = order
    const { quantity } = purchase
    const place = index + 1
    // The shopper has a record, or units are held back.
    if (others.has(-place)) continue
    if (refusal !== undefined) answers[at] = refusal
    else if (others.has(place)) answers[at] = { kind: 'sold-out', ...stockLeft(facts, left) }
    else {
      left -= quantity
      answers[at] = { kind: 'reserved', quantity, message, ...stockLeft(facts, left) }
    }
  }
}
