/**
 * Reservations, claims and a marketer's changes are kept while parts fail (I2, I5, I6). No schedule runs
 * beside the tests, so what one run of `reconcile` did is its own.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '../../client/client.ts'
import { ownStack } from './own-stack.ts'
import { packetSales } from './packet-sales.ts'
import { buyUnits, buyWhenAdmitted, buyWithRetries, control, eventually, openSale, writtenOrder } from './support.ts'

const stack = await ownStack({ scheduled: false, visibilitySeconds: 10 })
afterEach(() => stack.setFault(null))

type Queue = { visible: number; inFlight: number; delayed: number }
type Live = {
  stock: { booked: number }
  orders: { sold: number }
  outbox: number
  queue: Queue
  deadLetters: number
  phase: string
  inStep: boolean
}
const live = (saleId: string) => control<Live>(stack, `/sales/${saleId}/live`)

const reconcile = () => stack.runSchedule('reconcile', { minAgeMs: 0 })

/** Bypasses every function and fault, as SQS does when it delivers a message twice. */
async function sendToQueue(body: string): Promise<void> {
  const { endpoint, queues } = (await stack.parts()).parts.sqs
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
    body: JSON.stringify({ QueueUrl: queues.orders.queue, MessageBody: body }),
  })
  if (!answer.ok) throw new Error(`the queue answered ${answer.status}`)
}

describe('when a part fails', () => {
  it('gives a shopper whose reply was lost between Redis and the function the same order again (I5)', async () => {
    const { saleId, startToken } = await openSale(stack)
    const token = await stack.token('ann')
    // Another shopper's request loads the script first, so that the lost reply is the reservation's own, and not
    // that of its writer.
    await buyUnits(stack, saleId, { token: await stack.token('warm-up'), startToken })
    await eventually(async () => ((await live(saleId)).outbox === 0 ? true : undefined))
    const key = randomUUID()
    await stack.setFault({ target: 'redis', mode: 'lost-reply', rate: 1 })
    const lost = await buyWhenAdmitted(stack, saleId, { token, startToken, key })
    expect(lost).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(lost.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await stack.setFault(null)
    expect((await live(saleId)).stock.booked, 'the lost request took its unit').toBe(2)

    const retry = await buyWhenAdmitted(stack, saleId, { token, startToken, key })
    expect(retry.status, 'and the next one found it').toBe(200)
    expect((await live(saleId)).stock.booked).toBe(2)
    // The repeat sends the message, which was never sent before.
    const order = await writtenOrder(stack, retry.body.orderId, token)
    expect(order.quantity).toBe(1)
    expect((await live(saleId)).stock.booked).toBe(2)
  })

  it('keeps every 202 while SQS is down: the outbox is dispatched when it is back (O4, O5, I2)', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 20 })
    await stack.setFault({ target: 'sqs', mode: 'down', rate: 1 })
    const shoppers = await Promise.all(Array.from({ length: 20 }, (_, i) => stack.token(`queue-${i}`)))
    const answers = await Promise.all(shoppers.map((token) => buyWithRetries(stack, saleId, { token, startToken })))
    // A function that was late is asked again, and answers 200 then. One that needs SQS would never answer 202.
    expect(answers.filter(({ status }) => status >= 300)).toEqual([])
    expect(answers.map(({ status }) => status)).toContain(202)
    expect((await live(saleId)).outbox).toBe(20)

    await stack.setFault(null)
    expect(await reconcile()).toMatchObject({ resent: 20 })
    const orders = await Promise.all(
      answers.map((answer, i) => writtenOrder(stack, answer.body.orderId, shoppers[i] ?? '')),
    )
    expect(orders.every((order) => order.status === 'awaiting-payment')).toBe(true)
    expect(await live(saleId)).toMatchObject({ outbox: 0, orders: { sold: 20 }, stock: { booked: 20 } })
  })
})

describe('when a part fails during a rain of red packets', () => {
  const { openPacketSale, claim, creditOf, wallet } = packetSales(() => stack)

  it('knows at once whether a claim without an answer has won, though no wallet is credited (I2, I5)', async () => {
    const sale = await openPacketSale(1, 500)
    await stack.setFault({ target: 'sqs', mode: 'down', rate: 1 })
    const isGone = async () => ((await claim(sale, 'kim')).status === 410 ? true : undefined)
    /** The first click of `who` is lost, before it takes effect or after; the gate knows by the second that all are gone. */
    async function outcomeOf(who: string, takesEffect: boolean) {
      let clicks = 0
      const token = await stack.token(who)
      const client = createClient({
        url: stack.url,
        token: () => token,
        async fetch(input, init) {
          clicks += input.endsWith('/packets') ? 1 : 0
          if (!input.endsWith('/packets') || clicks !== 1) return fetch(input, init)
          if (takesEffect) await fetch(input, init)
          await eventually(isGone)
          throw new TypeError('the answer was lost')
        },
      })
      await client.getPass()
      return client.claim(sale.saleId)
    }
    const won = await outcomeOf('ivy', true)
    expect(won).toMatchObject({ kind: 'won', amount: 500 })
    expect(await wallet('ivy')).toMatchObject({ credits: [] })
    expect(await outcomeOf('jay', false)).toMatchObject({ kind: 'refused', problem: { code: 'sold-out' } })
    await stack.setFault(null)
    // Messages of other sales may still be in the queue, which all share.
    await eventually(async () => {
      await reconcile()
      return (await live(sale.saleId)).outbox === 0 ? true : undefined
    })
    expect(await creditOf(sale, 'ivy')).toMatchObject({ packetId: won.kind === 'won' && won.packetId })
  })

  it('rejects an invalid message to the dead-letter queue, where a marketer finds and redrives it (O7)', async () => {
    const deadLetterCount = async () => (await live(saleId)).deadLetters
    const { saleId } = await openSale(stack)
    const before = await deadLetterCount()
    await sendToQueue('no order')
    await eventually(async () => ((await deadLetterCount()) === before + 1 ? true : undefined))
    expect(await control(stack, '/dead-letters/redrive', {})).toMatchObject({ moved: before + 1 })
  })
})
