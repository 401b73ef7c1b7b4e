/**
 * What the sources answer and what we answer, situation by situation. The rows here and those of docs/dialects.md are
 * the same: a row of the page that is not played, or played otherwise, is a failure.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuyRequest } from '../../core/buy-request.ts'
import { type OutcomeKind, outcomes } from '../../core/outcome.ts'
import type { Sale } from '../../core/sale.ts'
import { answerPurchase } from '../../functions/reserve/http.ts'
import { release } from '../../redis/release.ts'
import { type Reservation, reserve } from '../../redis/reserve.ts'
import { readStock } from '../../redis/stock.ts'
import { requestOf, testTelemetry } from '../functions/support.ts'
import { hasBought, isWonByS5, s1, s1AsPrinted, s2, s4, s5, s7, s9, takeOne } from './literals.ts'
import { aPurchase, aSale, aWarmSale, type RedisRig, raw, startRedisRig, tokenOf } from './support.ts'

let rig: RedisRig
beforeAll(async () => {
  rig = await startRedisRig()
})
afterAll(() => rig.stop())

/** A key that is not there. */
const none = '–'

/** How a source keeps its stock, and how units are taken from it. */
type Literal = {
  put: (key: string, stock: string) => Promise<unknown>
  take: (key: string, asked: string) => Promise<unknown>
  left: (key: string) => Promise<unknown>
}

const script = (source: string) => (key: string, asked: string) =>
  raw(rig.redis, 'EVAL', source, '1', key, asked)

const counter = (take: Literal['take']): Literal => ({
  put: (key, stock) => raw(rig.redis, 'SET', key, stock),
  take,
  left: (key) => raw(rig.redis, 'GET', key),
})

const hash = (total: string, taken: string, source: string): Literal => ({
  put: (key, stock) => raw(rig.redis, 'HSET', key, total, stock, taken, '0'),
  take: script(source),
  async left(key) {
    if ((await raw(rig.redis, 'EXISTS', key)) === 0) return null
    return Number(await raw(rig.redis, 'HGET', key, total)) - Number(await raw(rig.redis, 'HGET', key, taken))
  },
})

const bareCount = counter((key, asked) => s7(rig.redis, key, Number(asked)))

/** The purchase call of a shopper for whom `before` happened. */
const purchaseCall = (before: (key: string) => Promise<unknown> = async () => {}) =>
  counter(async (key) => {
    await before(key)
    return s9(rig.redis, key, 'shopper')
  })

const literals = {
  '[0] S1': hash('total', 'ordered', s1('<=')),
  '[0] S1, its prose': hash('total', 'ordered', s1('<')),
  '[0] S1, its listing': hash('total', 'ordered', s1AsPrinted),
  '[1] S2': hash('Total', 'Booked', s2),
  '[3] S4': counter(script(s4)),
  '[3] S9': purchaseCall(),
  '[4] S5': counter(script(s5)),
  '[4] S5, its caller': counter(async (key, asked) => isWonByS5(await script(s5)(key, asked))),
  '[4] S7': bareCount,
  '[4] S8': bareCount,
}

/** What `reserve` answers, or the parser in front of it. */
type Answer = Reservation | { kind: 'invalid-request' }

/** Numbers as the page shows them. `literal` and `ours` are there where the situation needs more than stock and wish. */
type Row = {
  source: keyof typeof literals
  situation: string
  stock: string
  asked: string
  answer: string
  then: string
  kind: OutcomeKind
  remaining?: number
  isTrap?: true
  literal?: Literal
  sale?: Partial<Sale>
  ours?: (sale: Sale) => Promise<Answer>
}

const onePerShopper = { limitPerShopper: 1, maxPerOrder: 1 }
const enough = 'there is enough'
const theRest = 'exactly the rest is asked for'
const tooLittle = 'there is too little'
const nothing = 'there is nothing'
const noStock = 'there is no such stock'
const askedZero = 'nothing is asked for'
const askedNegative = 'less than nothing is asked for'
const isTrap = true as const

// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  { source: '[0] S1', situation: enough, stock: '10', asked: '2', answer: '2', then: '8', kind: 'reserved', remaining: 8 },
  { source: '[0] S1', situation: theRest, stock: '2', asked: '2', answer: '2', then: '0', kind: 'reserved', remaining: 0 },
  { source: '[0] S1, its prose', situation: theRest, stock: '2', asked: '2', answer: '0', then: '2', kind: 'reserved', remaining: 0, isTrap },
  { source: '[0] S1, its listing', situation: enough, stock: '5', asked: '1', answer: 'error', then: '5', kind: 'reserved', remaining: 4, isTrap },
  { source: '[0] S1', situation: tooLittle, stock: '1', asked: '2', answer: '0', then: '1', kind: 'sold-out', remaining: 1, isTrap },
  { source: '[0] S1', situation: nothing, stock: '0', asked: '1', answer: '0', then: '0', kind: 'sold-out', remaining: 0 },
  { source: '[0] S1', situation: noStock, stock: none, asked: '1', answer: 'error', then: none, kind: 'unknown-sale', isTrap },
  { source: '[0] S1', situation: askedZero, stock: '5', asked: '0', answer: '0', then: '5', kind: 'invalid-request', isTrap },
  { source: '[0] S1', situation: askedNegative, stock: '5', asked: '-3', answer: '-3', then: '8', kind: 'invalid-request', isTrap },

  { source: '[1] S2', situation: enough, stock: '10', asked: '2', answer: '2', then: '8', kind: 'reserved', remaining: 8 },
  { source: '[1] S2', situation: theRest, stock: '2', asked: '2', answer: '2', then: '0', kind: 'reserved', remaining: 0 },
  { source: '[1] S2', situation: tooLittle, stock: '1', asked: '2', answer: '0', then: '1', kind: 'sold-out', remaining: 1, isTrap },
  { source: '[1] S2', situation: noStock, stock: none, asked: '1', answer: '0', then: none, kind: 'unknown-sale', isTrap },
  { source: '[1] S2', situation: askedZero, stock: '5', asked: '0', answer: '0', then: '5', kind: 'invalid-request', isTrap },
  { source: '[1] S2', situation: 'something that is no number is asked for', stock: '5', asked: 'x', answer: '0', then: '5', kind: 'invalid-request', isTrap, ours: asText('x') },
  { source: '[1] S2', situation: askedNegative, stock: '5', asked: '-3', answer: '-3', then: '8', kind: 'invalid-request', isTrap },
  { source: '[1] S2', situation: 'the start flag is off', stock: '5', asked: '1', answer: '1', then: '4', kind: 'not-started', isTrap, sale: { flag: 'off' } },

  { source: '[3] S4', situation: enough, stock: '5', asked: '1', answer: '5', then: '4', kind: 'reserved', remaining: 4, isTrap },
  { source: '[3] S4', situation: 'the last unit', stock: '1', asked: '1', answer: '1', then: '0', kind: 'reserved', remaining: 0, isTrap },
  { source: '[3] S4', situation: 'no limit', stock: '-1', asked: '1', answer: '1', then: '-1', kind: 'reserved', remaining: -1, isTrap },
  { source: '[3] S4', situation: nothing, stock: '0', asked: '1', answer: '0', then: '0', kind: 'sold-out', remaining: 0, isTrap },
  { source: '[3] S4', situation: noStock, stock: none, asked: '1', answer: '-1', then: none, kind: 'unknown-sale', isTrap },

  { source: '[3] S9', situation: 'the first click of a shopper', stock: '5', asked: '1', answer: '1', then: '4', kind: 'reserved', remaining: 4 },
  { source: '[3] S9', situation: 'the shopper has bought, and asks for another order', stock: '4', asked: '1', answer: '-1', then: '4', kind: 'limit-reached', literal: afterBuying(), sale: { stock: 5, ...onePerShopper }, ours: buyThen(2) },
  { source: '[3] S9', situation: 'the shopper has bought, and asks for the same order again', stock: '4', asked: '1', answer: '-1', then: '4', kind: 'repeat', remaining: 4, isTrap, literal: afterBuying(), sale: { stock: 5, ...onePerShopper }, ours: buyThen(1) },
  { source: '[3] S9', situation: 'another click of the shopper comes between check and count', stock: '4', asked: '1', answer: '1', then: '3', kind: 'limit-reached', isTrap, literal: crossing(), sale: { stock: 5, ...onePerShopper }, ours: buyThen(2) },
  { source: '[3] S9', situation: nothing, stock: '0', asked: '1', answer: '0', then: '-1', kind: 'sold-out', remaining: 0, isTrap },
  { source: '[3] S9', situation: 'one unit came back after three lost clicks', stock: '1', asked: '1', answer: '0', then: '-3', kind: 'reserved', remaining: 0, isTrap, literal: afterLosing(), ours: afterReturn },

  { source: '[4] S5', situation: enough, stock: '5', asked: '3', answer: '2', then: '2', kind: 'reserved', remaining: 2 },
  { source: '[4] S5', situation: theRest, stock: '3', asked: '3', answer: '0', then: '0', kind: 'reserved', remaining: 0, isTrap },
  { source: '[4] S5, its caller', situation: theRest, stock: '3', asked: '3', answer: 'false', then: '0', kind: 'reserved', remaining: 0, isTrap },
  { source: '[4] S5', situation: 'no limit', stock: '-1', asked: '3', answer: '-1', then: '-1', kind: 'reserved', remaining: -1, isTrap },
  { source: '[4] S5', situation: tooLittle, stock: '2', asked: '3', answer: '-2', then: '2', kind: 'sold-out', remaining: 2 },
  { source: '[4] S5', situation: nothing, stock: '0', asked: '1', answer: '-2', then: '0', kind: 'sold-out', remaining: 0 },
  { source: '[4] S5', situation: noStock, stock: none, asked: '1', answer: '-3', then: none, kind: 'unknown-sale' },
  { source: '[4] S5', situation: askedZero, stock: '5', asked: '0', answer: '5', then: '5', kind: 'invalid-request', isTrap },
  { source: '[4] S5', situation: askedNegative, stock: '5', asked: '-3', answer: '8', then: '8', kind: 'invalid-request', isTrap },

  { source: '[4] S7', situation: enough, stock: '5', asked: '1', answer: '4', then: '4', kind: 'reserved', remaining: 4 },
  { source: '[4] S7', situation: 'the last unit', stock: '1', asked: '1', answer: '0', then: '0', kind: 'reserved', remaining: 0 },
  { source: '[4] S7', situation: nothing, stock: '0', asked: '1', answer: '-1', then: '-1', kind: 'sold-out', remaining: 0, isTrap },
  { source: '[4] S7', situation: noStock, stock: none, asked: '1', answer: '-1', then: '-1', kind: 'unknown-sale', isTrap },
  { source: '[4] S8', situation: 'there is too little, counted down all the same', stock: '80', asked: '100', answer: '-20', then: '-20', kind: 'sold-out', remaining: 80, isTrap },
]
