/**
 * Hundreds of orders paid at each provider, over HTTP and through its adapter, with everything that goes
 * wrong between a shop and a provider. Only the date is virtual: it is moved a minute at a time.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import { captureMs, paymentIdOf } from '../../../../core/orders/order-life.ts'
import type { PaymentEvent } from '../../../../core/orders/payment-event.ts'
import { PaymentProviderFailed, requestOf } from '../../../../functions/lib/shop/payment-provider.ts'
import { changeOrder } from '../../../../functions/orders/change-order.ts'
import { receivePaymentEvent } from '../../../../functions/orders/payment-events.ts'
import {
  choosePayments,
  chooseWebhooks,
  type ProviderName,
  providerNames,
} from '../../../../functions/orders/payments/choose.ts'
import { askRefund } from '../../../../functions/orders/refund.ts'
import { settleAuthorisation } from '../../../../functions/orders/settle.ts'
import { dueAuthorisations } from '../../../../functions/table/orders/authorisations.ts'
import { dueRefunds } from '../../../../functions/table/orders/refunds.ts'
import type { ProviderPayment } from '../../../../functions/table/orders/simulated-payments.ts'
import { listen } from '../../../../local/listen.ts'
import { startPaymentProvider } from '../../../../local/payment/provider.ts'
import { openRandom } from '../../../../proof/simulation/engine/random.ts'
import type { PaymentChoice } from '../../../../static/pages/payment-simulator.ts'
import { loseAnswer } from '../../../contract/lost-answer.ts'
import { aSale } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { openSales, writtenAt } from '../../../world/open-sale.ts'
import { retryAtOnce } from './stripe-delays.ts'

const redis = useRedis()

const count = 400
const minuteMs = 60_000
const mostAttempts = 3

const stops: (() => Promise<unknown>)[] = []
let waitAgain = () => {}
beforeEach(() => {
  waitAgain = retryAtOnce()
})
afterEach(async () => {
  waitAgain()
  for (const stop of stops.splice(0).reverse()) await stop()
  vi.useRealTimers()
})

/** What a shopper does; `late` pays on a page that has outlived the order. */
const plans = ['pay', 'pay', 'pay', 'pay', 'decline, then pay', 'slowly', 'pay and cancel', 'late', 'regret'] as const

async function play(name: ProviderName, seed: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: writtenAt })
  const random = openRandom(seed)
  const sale = aSale({ stock: count, limitPerShopper: 1, maxPerOrder: 1 })
  const rig = await openSales(redis, [sale])
  const orderIds = await rig.writeEach(sale, ...Array.from({ length: count }, (_, number) => number + 1))
  const faults = { areOn: true, isDown: false }
  const seen = { lostAnswers: 0, refusedMessages: 0, unexpected: new Set<string>() }

  /** What the provider said that it sent back, by the id of its event. */
  const refunds = new Map<string, PaymentEvent['data']>()

  function note(error: unknown): void {
    if (!(error instanceof PaymentProviderFailed)) seen.unexpected.add(String(error))
  }

  const happens = (probability: number) => faults.areOn && random.chance(probability)

  // The webhook of the shop. Messages overtake each other, and may be refused before or after their effect.
  const shop = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      await sleep(random.whole(0, 20))
      const isRefused = happens(0.1)
      const isDone = !isRefused && (await receive(Buffer.concat(chunks).toString(), request.headers))
      const isAccepted = isDone && !happens(0.1)
      if (!isAccepted) seen.refusedMessages += 1
      response.writeHead(isAccepted ? 200 : 503).end()
    }),
    0,
  )
  stops.push(shop.stop)

  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
  const apiKey = 'key-of-the-shop'
  const provider = startPaymentProvider({
    ...{ provider: name, shopUrl: shop.url, apiKey, webhookSecret },
    webhookUrl: `${shop.url}/webhook`,
    laterMs: 200,
  })
  stops.push(provider.stop)
  provider.behave({ copies: 2 })

  // The API of the provider. It may do its work and lose the answer, or be down.
  const api = await listen(
    createServer(async (request, response) => {
      if (faults.isDown) return void request.socket.destroy()
      if (happens(0.15)) {
        seen.lostAnswers += 1
        loseAnswer(response)
      }
      await provider.routes(request, response)
    }),
    0,
  )
  stops.push(api.stop)

  const env = {
    PAYMENT_PROVIDER: name,
    PAYMENT_URL: name === 'stripe' ? api.url : `${api.url}/local/payment`,
    PAYMENT_API_KEY: apiKey,
  }
  const webhooks = await chooseWebhooks({ ...env, WEBHOOK_SECRET: webhookSecret })
  const ports = { ...rig.ports, provider: choosePayments(env, 'https://shop.example') }

  async function receive(body: string, from: NodeJS.Dict<string | string[]>): Promise<boolean> {
    const headers = Object.fromEntries(Object.entries(from).map(([key, value]) => [key, String(value)]))
    try {
      const read = await webhooks.read({ headers, body })
      if (read.kind === 'event') {
        const { event, eventId, digest } = read
        if (event.type === 'refund.succeeded') refunds.set(eventId, event.data)
        await receivePaymentEvent(ports, event, { eventId, digest, receivedAt: rig.clock.now })
      } else if (read.kind === 'malformed') seen.unexpected.add(read.detail)
      // The date was moved while the message was on its way; the next try is signed anew.
      return read.kind !== 'unsigned'
    } catch (error) {
      note(error)
      return false
    }
  }

  /** Opens the page, as often as it takes, and lets the shopper decide there. */
  async function open(orderId: OrderId): Promise<ProviderPayment | undefined> {
    const started = await changeOrder(ports, orderId, { kind: 'payment-started', graceMs: minuteMs })
    if (started.kind !== 'moved' && started.kind !== 'same') return undefined
    const { payment } = started.order
    if (payment === undefined) throw new Error(`${orderId} has no payment`)
    const request = requestOf(started.order, payment)
    for (let tries = 0; tries < 5; tries += 1) {
      const isOpen = await ports.provider.start(request).then(() => true, note)
      if (isOpen) return provider.book.find({ orderId, paymentId: payment.paymentId })
    }
    return undefined
  }

  async function decide(orderId: OrderId, choice: PaymentChoice): Promise<void> {
    const payment = await open(orderId)
    if (payment !== undefined) await provider.book.decide(payment, choice)
  }

  const late: (() => void)[] = []
  const regrets: OrderId[] = []

  async function follow(orderId: OrderId): Promise<void> {
    const plan = random.pick(plans)
    if (plan === 'late') {
      const payment = await open(orderId)
      if (payment !== undefined) late.push(() => void provider.book.decide(payment, 'pay'))
      return
    }
    if (plan === 'decline, then pay') await decide(orderId, 'fail')
    await decide(orderId, plan === 'slowly' ? 'later' : 'pay')
    if (plan === 'pay and cancel') await changeOrder(ports, orderId, { kind: 'cancelled-by-shopper' })
    if (plan === 'regret') regrets.push(orderId)
  }

  /** The marketer gives the orders back, paid or not. */
  async function regret(): Promise<void> {
    for (const orderId of regrets.splice(0)) await changeOrder(ports, orderId, { kind: 'refunded-by-marketer' })
  }

  /** What the timers and `reconcile` do in a minute. */
  async function passMinute(): Promise<void> {
    rig.clock.now += minuteMs
    vi.setSystemTime(rig.clock.now)
    for (const orderId of orderIds) await changeOrder(ports, orderId, { kind: 'payment-window-over' })
    const authorised = await dueAuthorisations(rig.table.table)
    await Promise.all(authorised.map((due) => settleAuthorisation(ports, due).catch(note)))
    const refundable = await dueRefunds(rig.table.table)
    await Promise.all(refundable.map((due) => askRefund(ports, due)))
  }

  const paymentsOf = async (orderId: OrderId) => {
    const attempts = Array.from({ length: mostAttempts }, (_, at) => paymentIdOf({ orderId }, at + 1))
    const found = await Promise.all(attempts.map((paymentId) => provider.book.find({ orderId, paymentId })))
    return found.filter((payment) => payment !== undefined)
  }

  return { rig, orderIds, faults, seen, provider, late, follow, regret, passMinute, paymentsOf, refunds }
}

type Play = Awaited<ReturnType<typeof play>>

/** What the shoppers paid for the order in the end. */
async function netOf({ paymentsOf, refunds }: Play, orderId: OrderId): Promise<number> {
  const captured = (await paymentsOf(orderId)).filter(({ state }) => state === 'captured')
  const returned = [...refunds.values()].filter((refund) => refund.orderId === orderId)
  return sumOf(captured) - sumOf(returned)
}

const sumOf = (moneys: readonly { amount: number }[]) => moneys.reduce((sum, { amount }) => sum + amount, 0)

/** Orders that are not over, or whose money is not where the order says. */
async function unsettled(played: Play): Promise<string[]> {
  const found: string[] = []
  for (const orderId of played.orderIds) {
    const { status, amount } = await played.rig.find(orderId)
    const isOver = status === 'paid' || status === 'cancelled' || status === 'refunded'
    const payments = await played.paymentsOf(orderId)
    const isHeld = payments.some(({ state }) => state === 'authorised' || state === 'on-its-way')
    const due = status === 'paid' ? amount : 0
    const net = await netOf(played, orderId)
    if (!isOver || isHeld || net !== due) found.push(`${orderId} is ${status}, ${net} was paid`)
  }
  return found
}

describe.each(providerNames)('400 orders paid by %s', (name) => {
  it('end with every cent accounted for, after lost answers, repeated messages and five minutes without the provider (O8, O9, I5)', async () => {
    const seed = 20_261_122
    const played = await play(name, seed)
    const { rig, orderIds, faults, seen, late, follow, regret, passMinute, paymentsOf, refunds } = played
    const [half, more] = [count / 2, count / 2 + 50]
    await inSlices(orderIds.slice(0, half), follow)
    faults.isDown = true
    await regret()
    const failing = inSlices(orderIds.slice(half, more), follow)
    for (let passed = 0; passed < captureMs; passed += minuteMs) await passMinute()
    await failing
    faults.isDown = false
    await inSlices(orderIds.slice(half), follow)
    await regret()
    // Until the last order that waits for a payment is cancelled; then those who are late pay.
    for (let minutes = 0; minutes < 30; minutes += 1) await passMinute()
    for (const pay of late) pay()
    await expect
      .poll(() => passMinute().then(() => unsettled(played)), { timeout: 240_000, interval: 1000 })
      .toEqual([])

    expect(await dueAuthorisations(rig.table.table)).toEqual([])
    expect(await dueRefunds(rig.table.table)).toEqual([])
    expect([...seen.unexpected]).toEqual([])
    const orders = await Promise.all(orderIds.map(rig.find))
    const paid = orders.filter(({ status }) => status === 'paid')
    const nets = await Promise.all(orderIds.map((orderId) => netOf(played, orderId)))
    const income = nets.reduce((sum, net) => sum + net, 0)
    expect(income).toBe(sumOf(paid))
    // The play has met what it is about.
    const payments = (await Promise.all(orderIds.map(paymentsOf))).flat()
    const states = payments.map(({ state }) => state)
    console.log(
      `${name}: ${paid.length} paid, ${states.filter((state) => state === 'released').length} released, ` +
        `${refunds.size} refunded; ${seen.lostAnswers} lost answers, ${seen.refusedMessages} refused messages`,
    )
    expect(paid.length).toBeGreaterThan(count / 3)
    expect(states).toContain('released')
    expect(Math.min(refunds.size, seen.lostAnswers, seen.refusedMessages)).toBeGreaterThan(10)
  }, 600_000)
})

async function inSlices(orderIds: readonly OrderId[], work: (orderId: OrderId) => Promise<void>): Promise<void> {
  for (let from = 0; from < orderIds.length; from += 25) {
    await Promise.all(orderIds.slice(from, from + 25).map(work))
  }
}
