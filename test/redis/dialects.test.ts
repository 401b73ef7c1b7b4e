/**
 * Compares the answers of the sources with ours in each situation: plays every row of docs/reference/dialects.md. `npm run
 * check` reads its kinds and marks.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DialectRow, dialectRows } from '../../checks/dialects.ts'
import { repository } from '../../checks/tree.ts'
import { buyRequest } from '../../core/buy/requests.ts'
import { readJson } from '../../core/lib/parse.ts'
import { luaCodes, outcomes } from '../../core/outcome.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { purchaseApp } from '../../functions/buy/reserve.ts'
import { hasBought, isWonByS5, s1, s2, s4, s5, s7, s9, takeOne } from '../../proof/bench/deductions/literals.ts'
import { answerTo, forwardedRequest } from '../../proof/simulation/parts/requests.ts'
import { type Reservation, reserve } from '../../redis/buy/reserve.ts'
import type { Command, Commander } from '../../redis/command.ts'
import { RedisReplyError } from '../../redis/errors.ts'
import { release } from '../../redis/orders/release.ts'
import { readStock } from '../../redis/stock/stock.ts'
import { testTelemetry } from '../world/telemetry.ts'
import { aClaim, aWarmRain } from './packets/rain.ts'
import { aPurchase, aSale, aWarmSale, type RedisRig, raw, startRedisRig, tokenOf } from './support.ts'

/** S1 in the notation of its listing: a comment that Lua does not know, and a quantity that no caller passes. */
const s1AsPrinted = `
  # enough for this wish?
  local total, ordered = unpack(redis.call('HMGET', KEYS[1], 'total', 'ordered'))
  if ordered + k > total + 0 then return 0 end
  redis.call('HINCRBY', KEYS[1], 'ordered', k)
  return k`

/** [2] P5: a packet for a shopper who has none, in codes that are text. The shopper is its fourth key, as printed. */
const p5 = `
  if redis.call('HEXISTS', KEYS[3], KEYS[4]) == 1 then return cjson.encode({code = '1'}) end
  local packet = redis.call('RPOP', KEYS[1])
  if not packet then return cjson.encode({code = '-1'}) end
  redis.call('HSET', KEYS[3], KEYS[4], packet)
  redis.call('LPUSH', KEYS[2], packet)
  return cjson.encode({code = '0', amount = packet, redPacketId = packet})`

let rig: RedisRig
/** The reply to the last script. */
let lastReply: unknown
beforeAll(async () => {
  const started = await startRedisRig()
  const exec = async (command: Command) => {
    const reply = await started.redis.exec(command)
    if (command[0].startsWith('EVAL')) lastReply = reply
    return reply
  }
  rig = { ...started, redis: { ...started.redis, exec } }
})
afterAll(() => rig.stop())

/** A missing key. */
const none = '–'

/** How a source keeps its stock, and how units are taken from it. */
type Literal = {
  put: (key: string, stock: string) => Promise<unknown>
  take: (key: string, asked: string) => Promise<unknown>
  left: (key: string) => Promise<unknown>
}

const script = (source: string) => (key: string, asked: string) => raw(rig.redis, 'EVAL', source, '1', key, asked)

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

/** Takes a packet; the code is shown as it comes, with the quotes of the text that it is. */
async function takePacket(key: string): Promise<string> {
  const reply = await raw(rig.redis, 'EVAL', p5, '4', key, `${key}:claims`, `${key}:owners`, 'shopper')
  const { code }: { code: string } = JSON.parse(String(reply))
  return JSON.stringify(code)
}

const packetList: Literal = {
  async put(key, stock) {
    for (let packet = 0; packet < Number(stock); packet += 1) await raw(rig.redis, 'LPUSH', key, `packet-${packet}`)
  },
  take: takePacket,
  left: (key) => raw(rig.redis, 'LLEN', key),
}

const bareCount = counter((key, asked) => s7(rig.redis, key, Number(asked)))

const literals: Readonly<Record<string, Literal>> = {
  '[2] P5': packetList,
  '[0] S1': hash('total', 'ordered', s1('<=')),
  '[0] S1, its prose': hash('total', 'ordered', s1('<')),
  '[0] S1, its listing': hash('total', 'ordered', s1AsPrinted),
  '[1] S2': hash('Total', 'Booked', s2),
  '[3] S4': counter(script(s4)),
  '[3] S9': counter((key) => s9(rig.redis, key, 'shopper')),
  '[4] S5': counter(script(s5)),
  '[4] S5, its caller': counter(async (key, asked) => isWonByS5(await script(s5)(key, asked))),
  '[4] S7': bareCount,
  '[4] S8': bareCount,
}

const askedText = 'asked for no number'
const flagOff = 'start flag off'
const boughtOther = 'has bought, asks for another order'
const boughtSame = 'has bought, repeats the order'
const crossing = 'another click between check and count'
const cameBack = 'one unit returned after three lost clicks'
const hasPacket = 'has a packet of this sale'

/** Returns the answer of `reserve`, or of the parser in front of it. */
type Answer = Reservation | { kind: 'invalid-request' }

/**
 * A situation that needs more than stock and quantity: `before` prepares the literal stock, `take` is how its caller then
 * takes; `sale` is how our sale differs, `ask` how ours is called, and `leaves` what is available afterwards.
 */
type Scene = {
  before?: (key: string) => Promise<unknown>
  take?: Literal['take']
  sale?: Partial<Sale>
  ask?: (sale: Sale) => Promise<Answer>
  leaves?: number
}

const onePerShopper = { stock: 5, limitPerShopper: 1, maxPerOrder: 1 }
const buy = (sale: Sale, shopper: number, order = 1) => reserve(rig.redis, aPurchase(sale, shopper, order))
const remember = (key: string) => raw(rig.redis, 'SADD', `${key}:buyers`, 'shopper')

const scenes: Record<string, Scene> = {
  [flagOff]: { sale: { flag: 'off' } },
  [askedText]: {
    ask: async () => {
      const body = JSON.stringify({ quantity: 'x', startToken: tokenOf(1) })
      if (readJson(buyRequest, body).ok) throw new Error('x was taken for a quantity')
      // The parser refuses it as the script refuses a quantity.
      lastReply = [luaCodes['invalid-request'], 5, 0, 0, 0, null, null, 0, 'quantity']
      return { kind: 'invalid-request' }
    },
  },
  [boughtOther]: {
    before: remember,
    sale: onePerShopper,
    ask: async (sale) => {
      await buy(sale, 1)
      return buy(sale, 1, 2)
    },
  },
  [boughtSame]: {
    before: remember,
    sale: onePerShopper,
    ask: async (sale) => {
      await buy(sale, 1)
      return buy(sale, 1)
    },
  },
  [crossing]: {
    take: async (key) => {
      const before = await hasBought(rig.redis, key, 'shopper')
      await s9(rig.redis, key, 'shopper')
      return before ? -1 : takeOne(rig.redis, key, 'shopper')
    },
    sale: onePerShopper,
    ask: async (sale) => {
      const answers = await Promise.all([buy(sale, 1, 1), buy(sale, 1, 2)])
      const [lost, ...others] = answers.filter(({ kind }) => kind !== 'reserved')
      if (lost === undefined || others.length > 0) throw new Error('one of two clicks must win')
      return lost
    },
    leaves: 4,
  },
  [hasPacket]: { before: (key) => raw(rig.redis, 'HSET', `${key}:owners`, 'shopper', 'packet-9') },
  [cameBack]: {
    before: async (key) => {
      for (const shopper of ['winner', 'late-1', 'late-2', 'late-3']) await s9(rig.redis, key, shopper)
      await raw(rig.redis, 'INCRBY', key, '1')
    },
    ask: async (sale) => {
      for (const shopper of [9, 2, 3, 4]) await buy(sale, shopper)
      await release(rig.redis, sale.saleId, [aPurchase(sale, 9)])
      return buy(sale, 1)
    },
  },
}

/** The answer of the source when its script fails. */
function scriptFault(error: unknown): 'error' {
  if (!(error instanceof RedisReplyError) || !error.message.includes('user_script')) throw error
  return 'error'
}

async function playLiteral({ source, situation, stock, asked }: DialectRow) {
  const literal = literals[source]
  if (literal === undefined) throw new Error(`no source is called ${source}`)
  const { put, take, left } = literal
  const { before, take: takeAfterwards = take } = scenes[situation] ?? {}
  const key = `${source} ${situation}`
  if (stock !== none) await put(key, stock)
  await before?.(key)
  const answer = await takeAfterwards(key, asked).catch(scriptFault)
  return { answer: String(answer), after: String((await left(key)) ?? none) }
}

/** Our answer, the units left afterwards, and the statuses of the public answer: one, or the gate's and the one behind it. */
type Played = {
  answer: Answer | { kind: 'claimed' | 'repeat'; remaining?: number }
  left: number | undefined
  statuses: string
}

const statusesOf = ({ kind }: Played['answer'], behindGate: number) => {
  if (kind === 'invitation-required') throw new Error('no sale here has a list of its shoppers')
  return [...new Set([outcomes[kind].status, behindGate])].join(', ')
}

const leftOf = async ({ saleId }: Sale) => (await readStock(rig.redis, saleId))?.available

async function playOurs({ situation, stock, asked }: DialectRow): Promise<Played> {
  const { sale: changes, ask } = scenes[situation] ?? {}
  const limits = { limitPerShopper: 100, maxPerOrder: 100 }
  const sale = stock === none ? aSale() : await aWarmSale(rig.redis, { stock: Number(stock), ...limits, ...changes })
  const purchase = aPurchase(sale, 1, 1, { quantity: Number(asked) })
  const answer = await (ask === undefined ? reserve(rig.redis, purchase) : ask(sale))
  const body = { quantity: readAsked(asked), startToken: tokenOf(1) }
  const statuses = statusesOf(answer, await statusOf('orders', body, replying(lastReply)))
  return { answer, left: await leftOf(sale), statuses }
}

/** One packet more than the row says, for a shopper who already has one. */
async function playRain({ situation, stock }: DialectRow): Promise<Played> {
  const amounts = Array.from({ length: Number(stock) + 1 }, (_, at) => at + 1)
  const sale = await aWarmRain(rig.redis, amounts)
  await reserve(rig.redis, aClaim(sale, situation === hasPacket ? 1 : 2))
  const answer = await reserve(rig.redis, aClaim(sale, 1))
  const claimed = claimedIn(answer)
  const statuses = statusesOf(claimed, await statusOf('packets', { startToken: tokenOf(1) }, replying(lastReply)))
  return { answer: claimed, left: await leftOf(sale), statuses }
}

/** The fields of the public answer; a repeat has the packet and not the units left. */
function claimedIn(answer: Reservation): Played['answer'] {
  if (answer.kind === 'reserved') return { ...answer, kind: 'claimed' }
  return answer.kind === 'repeat' ? { kind: 'repeat' } : answer
}

/** The ports that the function needs in addition to the script. */
const around = {
  ...testTelemetry(),
  queue: { send: async () => {} },
  soldOut: { publish: async () => {} },
  admissions: { complete: async () => {} },
  demand: { count: () => {} },
  clock: () => 5_000,
}

/** A Redis that gives this reply to every command. */
const replying = (reply: unknown): Commander => ({ exec: async () => reply })

/** The status that the public answer has when `stock` replies to the script. */
async function statusOf(what: 'orders' | 'packets', body: object, stock: Commander): Promise<number> {
  const request = forwardedRequest('ann', 'POST', `/api/sales/a-sale/${what}`, body)
  return (await answerTo(purchaseApp({ ...around, stock }), request)).statusCode
}

/** A quantity as a client sends it: a number, or a text that is none. */
const readAsked = (asked: string) => (Number.isNaN(Number(asked)) ? asked : Number(asked))

const rows = dialectRows(repository)

describe('a situation that the sources number (S1, S2, S4, S5, S6, S7, S8, S9, S18, P5, G2)', () => {
  it.each(rows)('$source: $situation (stock $stock, asked $asked): $answer there, $kind here', async (row) => {
    const { source, stock, answer, after, kind, remaining, statuses } = row
    expect(await playLiteral(row)).toEqual({ answer, after })

    const ours = await (source === '[2] P5' ? playRain(row) : playOurs(row))
    expect(ours.answer.kind).toBe(kind)
    expect('remaining' in ours.answer ? String(ours.answer.remaining) : '').toBe(remaining)
    const untouched = stock === none ? undefined : Number(stock)
    const taken = kind === 'reserved' || kind === 'claimed'
    expect(ours.left).toBe(scenes[row.situation]?.leaves ?? (taken ? Number(remaining) : untouched))
    expect(ours.statuses).toBe(statuses)
  })

  it('is one of 45: the page leaves out no source and no scene (S6)', () => {
    expect(rows).toHaveLength(45)
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(Object.keys(literals)))
    expect(rows.map(({ situation }) => situation)).toEqual(expect.arrayContaining(Object.keys(scenes)))
  })

  it('is not decided by the listing of [0] even with its comment corrected: no caller passes the quantity (S1)', async () => {
    await raw(rig.redis, 'HSET', 's1-listing', 'total', '5', 'ordered', '0')
    const listing = script(s1AsPrinted.replace('#', '--'))
    await expect(listing('s1-listing', '1')).rejects.toThrow(/global variable 'k'/)
  })
})
