/**
 * Reserves units for many purchases with few calls, where one process has many at the same time.
 *
 * Each has the answer that `reserve` would give it. Purchases of different shoppers are requests of
 * one moment, so any order of them is right: reserve-many.lua decides those of new shoppers in one
 * call, and `reserve` all others. Purchases of one shopper are decided in their order.
 */
import type { SaleId, ShopperId } from '../core/ids.ts'
import { luaCodes } from '../core/outcome.ts'
import { batchesOf } from './batch.ts'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import { integer, kindOf } from './reply.ts'
import { orderOf, type Purchase, type Reservation, reserve } from './reserve.ts'
import source from './reserve-many.lua'
import { knownFacts, mostTurns, rememberFacts, type SaleFacts, saleFactsIn, stockLeft } from './sale-facts.ts'
import { defineScript } from './script.ts'

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
export async function reserveMany(
  redis: Commander,
  purchases: readonly Purchase[],
): Promise<(Reservation | Error)[]> {
  const answers: (Reservation | Error)[] = []
  for (const batch of batchesOf(purchases)) {
    const decided = await reserveNew(redis, batch)
    const last = new Map<ShopperId, Promise<unknown>>()
    const all = batch.map((purchase, at) => {
      const answer = decided[at]
      if (answer !== undefined) return answer
      const before = last.get(purchase.shopperId) ?? Promise.resolve()
      const alone = before.then(() => reserve(redis, purchase).catch(errorOf))
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
export async function reserveNew(redis: Commander, purchases: readonly Purchase[]): Promise<Answers> {
  const answers: Answers = new Array(purchases.length).fill(undefined)
  const asked = purchases.map((purchase, at) => ({ purchase, at }))
  const bySale = Map.groupBy(asked, ({ purchase }) => purchase.saleId)
  const decide = async ([saleId, ofSale]: [SaleId, Asked[]]) => {
    try {
      await decideNew(redis, saleId, ofSale, answers)
    } catch (error) {
      for (const { at } of ofSale) answers[at] = errorOf(error)
    }
  }
  await Promise.all(Array.from(bySale, decide))
  return answers
}

type Answers = (Reservation | Error | undefined)[]

/** A purchase with its place among all. */
type Asked = { purchase: Purchase; at: number }

/** A purchase that the script may decide, and its order as the script reads it. */
type Ready = { asked: Asked; order: ReturnType<typeof orderOf> }

/** @throws RedisUnavailable, UnexpectedReply */
async function decideNew(redis: Commander, saleId: SaleId, asked: readonly Asked[], answers: Answers) {
  const { stock, outbox } = stockKeys(saleId)
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
 * units than a new shopper may have.
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
    // The shopper has a record.
    if (others.has(-place)) continue
    if (refusal !== undefined) answers[at] = { kind: refusal }
    else if (others.has(place)) answers[at] = { kind: 'sold-out', ...stockLeft(facts, left) }
    else {
      left -= quantity
      answers[at] = { kind: 'reserved', quantity, message, ...stockLeft(facts, left) }
    }
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
