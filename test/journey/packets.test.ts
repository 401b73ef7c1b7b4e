/**
 * A claim of a red packet through the whole system: gate, Lua, queue, wallet; also while parts
 * fail.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Wallet } from '../../core/api/wallet.ts'
import { type Stack, startStack } from '../../local/stack.ts'
import { type Answer, call, click, control, eventually, openSale } from './support.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ demo: false })
})
afterAll(() => stack.stop())

type Packet = { packetId: string; amount: number; currency: string; remaining?: number; repeat?: true }
type Live = { stock: { total: number; booked: number }; orders: { sold: number }; deadLetters: number }

const openRain = (count: number, totalAmount: number, change: Record<string, unknown> = {}) =>
  openSale(stack, {
    ...{ kind: 'red-packet', price: undefined, stock: undefined },
    ...{ limitPerShopper: undefined, maxPerOrder: undefined },
    ...{ title: 'Lucky rain', packets: { count, totalAmount }, admissionRatio: 100 },
    ...change,
  })

type Rain = Awaited<ReturnType<typeof openRain>>

/** Every shopper signs in once, because a shopper gets few passes in a minute. */
const tokens = new Map<string, string>()

async function tap({ saleId, startToken }: Rain, who: string): Promise<Answer<Packet>> {
  const token = tokens.get(who) ?? (await stack.token(who))
  tokens.set(who, token)
  return click<Packet>(stack, `/api/sales/${saleId}/packets`, { token, body: { startToken } })
}

async function wallet(who: string): Promise<Wallet> {
  const answer = await call<Wallet>(stack, '/api/wallet', { token: await stack.token(who) })
  expect(answer.status).toBe(200)
  return answer.body as Wallet
}

/** The credit of `who` from the sale, once it is written. */
const creditOf = ({ saleId }: Rain, who: string) =>
  eventually(async () => (await wallet(who)).credits.find((credit) => credit.saleId === saleId))

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

async function claimsQueue() {
  const { endpoint, queues } = (await stack.parts()).parts.sqs
  return { endpoint, url: queues.claims.queue }
}

describe('a sale of red packets', () => {
  it('turns a claim into money in the wallet of its shopper only (P2, P3)', async () => {
    const rain = await openRain(3, 1000)
    const first = await tap(rain, 'ann')
    expect(first).toMatchObject({ status: 200, body: { currency: 'CNY', remaining: 2 } })
    const { packetId, amount } = first.body
    expect(await tap(rain, 'ann')).toMatchObject({ status: 200, body: { packetId, amount, repeat: true } })
    expect(await creditOf(rain, 'ann')).toMatchObject({ packetId, amount, currency: 'CNY' })
    expect(await wallet('ann')).toMatchObject({ balances: [{ currency: 'CNY', amount }] })
    expect(await wallet('bob')).toMatchObject({ balances: [], credits: [], statement: [] })
  })

  it('answers the repeat of a claim with its packet after the last one is gone (I5, P3)', async () => {
    const rain = await openRain(1, 500)
    const won = await tap(rain, 'lee')
    expect(won.status).toBe(200)
    const repeat = await eventually(async () => {
      const answer = await tap(rain, 'lee')
      return answer.headers.has('x-sluice-gate') ? answer : undefined
    })
    expect(repeat).toMatchObject({ status: 410, body: { code: 'sold-out', lookup: '/api/wallet' } })
    expect(await creditOf(rain, 'lee')).toMatchObject({ packetId: won.body.packetId, amount: 500 })
  })

  it('hands out the whole amount, each packet to one shopper (P3, I1)', async () => {
    const rain = await openRain(12, 5000)
    const crowd = Array.from({ length: 60 }, (_, shopper) => `crowd-${shopper}`)
    const answers = await Promise.all(crowd.map((who) => tap(rain, who)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(12)
    expect(new Set(won.map(({ body }) => body.packetId)).size).toBe(12)
    expect(sum(won.map(({ body }) => body.amount))).toBe(5000)
    for (const { status, body } of answers) {
      if (status !== 200) expect(['sold-out', 'at-capacity']).toContain(body.code)
    }
    const winners = crowd.filter((_, at) => answers[at]?.status === 200)
    const credits = await Promise.all(winners.map((who) => creditOf(rain, who)))
    expect(sum(credits.map(({ amount }) => amount))).toBe(5000)
    expect(await control<Live>(stack, `/sales/${rain.saleId}/live`)).toMatchObject({
      stock: { total: 12, booked: 12 },
      orders: { sold: 12 },
    })
  })

  it('credits claims made while SQS was down, once reconcile has run (O4, O5, I2)', async () => {
    const rain = await openRain(5, 500)
    await stack.setFault({ target: 'sqs', mode: 'down', forMs: 60_000, rate: 1 })
    const answers = await Promise.all(['dan', 'eve', 'fay'].map((who) => tap(rain, who)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await stack.setFault(null)
    await stack.runSchedule('reconcile', { minAgeMs: 0 })
    for (const [at, who] of ['dan', 'eve', 'fay'].entries()) {
      const { packetId, amount } = answers[at]?.body ?? {}
      expect(await creditOf(rain, who)).toMatchObject({ packetId, amount })
    }
  })

  it('finds the packet of a shopper whose reply was lost between Redis and the function (I5)', async () => {
    const rain = await openRain(5, 500)
    await tap(rain, 'warm-up')
    await stack.setFault({ target: 'redis', mode: 'lost-reply', forMs: 60_000, rate: 1 })
    expect(await tap(rain, 'gus')).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await stack.setFault(null)
    const again = await tap(rain, 'gus')
    expect(again).toMatchObject({ status: 200, body: { repeat: true } })
    await stack.runSchedule('reconcile', { minAgeMs: 0 })
    expect(await creditOf(rain, 'gus')).toMatchObject({ packetId: again.body.packetId })
  })

  it('rejects an invalid message to the dead-letter queue, where a marketer finds and redrives it (O7)', async () => {
    const { endpoint, url } = await claimsQueue()
    const deadLetterCount = async () => (await control<Live>(stack, `/sales/${saleId}/live`)).deadLetters
    const { saleId } = await openRain(1, 1)
    const before = await deadLetterCount()
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
      body: JSON.stringify({ QueueUrl: url, MessageBody: 'no claim' }),
    })
    expect(answer.status).toBe(200)
    await eventually(async () => ((await deadLetterCount()) === before + 1 ? true : undefined))
    expect(await control(stack, '/dead-letters/redrive', {})).toMatchObject({ moved: before + 1 })
  })
})
