/**
 * A payment provider for the local system: an API for the shop, a page for the shopper, and signed webhooks to the
 * shop. The simulated provider runs the code of the function `payment-simulator`. Payments are in memory: a restart
 * loses them, and the shop opens them again when a shopper pays.
 */
import { EventEmitter, once, setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderId } from '../../core/ids.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import type { ProviderName } from '../../functions/orders/payments/choose.ts'
import { createLedger, type LedgerPorts, type PaymentLedger } from '../../functions/orders/payments/payment-ledger.ts'
import {
  answerSimulatedApi,
  composeSimulated,
  type ProviderRequest,
  signSimulated,
} from '../../functions/orders/payments/simulated-api.ts'
import { answerShopper } from '../../functions/orders/payments/simulated-shopper.ts'
import type { Message, PaymentRecord, PaymentStore } from '../../functions/table/orders/simulated-payments.ts'
import { readBody } from '../cdn/body.ts'
import { type Dialect, type StripePorts, type StripeRefunds, stripeDialect } from './stripe-api.ts'

/**
 * `provider` selects the API, `shopUrl` is the origin of its pages. `webhookSecret` is a secret of that provider's
 * webhooks (`whsec_…`); `clock` returns epoch ms, default `Date.now`. `callsPerSecond` is the rate limit of a Stripe
 * endpoint, by default none.
 */
export type ProviderOptions = {
  provider: ProviderName
  shopUrl: string
  webhookUrl: string
  webhookSecret: string
  apiKey: string
  clock?: () => number
  callsPerSecond?: number
  /** Duration of a late payment, default ten seconds, as the page says. */
  laterMs?: number
}

export type LocalPaymentProvider = {
  /**
   * Answers requests under `/local/pay/` and `/local/payment/`, or `/v1/` for Stripe; false for others, which it does
   * not touch.
   */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Changes how messages are delivered, for tests of a provider that is slow or silent, or sends duplicates. */
  behave(delivery: Partial<Delivery>): void
  /** The payments, for actions of people at a provider, such as a partial refund or a dispute. */
  ledger: PaymentLedger
  /** Stripe's refunds. */
  refunds: StripeRefunds
  /** Cancels undelivered messages, and resolves when all deliveries have ended. */
  stop(): Promise<void>
}

const pagePrefix = '/local/pay/'
const bodyLimitBytes = 8192

export function startPaymentProvider({
  callsPerSecond = Number.POSITIVE_INFINITY,
  provider,
  shopUrl,
  webhookUrl,
  webhookSecret,
  apiKey,
  clock = Date.now,
  laterMs: delayedPaymentMs = 10_000,
}: ProviderOptions): LocalPaymentProvider {
  const stopping = new AbortController()
  const { signal } = stopping
  const timers = createTimers()
  const ports: LedgerPorts = {
    store: paymentsInMemory(),
    ...{ clock, delayedPaymentMs, declineEnds: provider === 'simulated' },
    compose: (report) => dialect.compose(report),
    notify: (orderId, messages) => {
      for (const message of messages) messenger.send(orderId, message)
    },
  }
  const ledger = ledgerWithTimers(ports, timers)
  const refunds: StripeRefunds = new Map()
  const own = { apiKey, webhookSecret, clock, ledger }
  const dialects: Readonly<Record<ProviderName, () => Dialect>> = {
    simulated: () => simulatedDialect(own),
    stripe: () => stripeDialect({ ...own, after: timers.after, shopUrl, pagePrefix, refunds, callsPerSecond }),
  }
  const dialect = dialects[provider]()
  const messenger = createMessenger({
    webhookUrl,
    sign: dialect.sign,
    clock,
    signal,
    onDelivered: ledger.markDelivered,
  })
  const shopper = { provider, ledger, clock, prefix: pagePrefix, isWaiting: async () => false }

  return {
    ledger,
    refunds,
    behave: messenger.behave,
    async routes(request, response) {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const isApi = path.startsWith(dialect.prefix)
      if (!isApi && !path.startsWith(pagePrefix)) return false
      const asked = await read(request, path)
      write(response, isApi ? await dialect.answer(asked) : await answerShopper(shopper, asked))
      return true
    },
    async stop() {
      stopping.abort()
      timers.cancelAll()
      await messenger.ended()
    },
  }
}

type SimulatedPorts = Pick<StripePorts, 'apiKey' | 'webhookSecret' | 'clock' | 'ledger'>

function simulatedDialect({ apiKey, webhookSecret, clock, ledger }: SimulatedPorts): Dialect {
  const prefix = '/local/payment/'
  return {
    prefix,
    answer: (request) => answerSimulatedApi({ apiKey, ledger, prefix, pagePrefix, clock }, request),
    compose: (report) => composeSimulated(report, clock()),
    sign: signSimulated(webhookSecret),
  }
}

/** Returns a payment book in which late payments arrive by timers. */
function ledgerWithTimers(ports: LedgerPorts, { after }: Timers): PaymentLedger {
  const ledger = createLedger(ports)

  /** Repeats while the payment is on its way, because timer and clock can differ by a millisecond. */
  function arriveLater(name: Parameters<PaymentLedger['find']>[0]): void {
    after(ports.delayedPaymentMs, async () => {
      await ledger.arrive(name.orderId)
      if ((await ledger.find(name))?.state === 'on-its-way') arriveLater(name)
    })
  }

  return {
    ...ledger,
    async decide(name, choice) {
      const counts = await ledger.decide(name, choice)
      if (counts && choice === 'later') arriveLater(name)
      return counts
    },
  }
}

type Timers = {
  after(milliseconds: number, task: () => void): void
  cancelAll(): void
}

/** Creates timers that do not keep the process alive. */
function createTimers(): Timers {
  const timers = new Set<NodeJS.Timeout>()
  return {
    after(milliseconds, task) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        task()
      }, milliseconds)
      timers.add(timer.unref())
    },
    cancelAll() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

async function read(request: IncomingMessage, path: string): Promise<ProviderRequest> {
  const body = await readBody(request, bodyLimitBytes)
  return {
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams((request.url ?? '').split('?')[1] ?? ''),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()])),
    body,
  }
}

function write(response: ServerResponse, { statusCode, headers, body }: HttpAnswer): void {
  response.writeHead(statusCode, { 'cache-control': 'no-store', ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** Creates an in-memory payment store. */
export function paymentsInMemory(): PaymentStore {
  const records = new Map<OrderId, PaymentRecord>()
  return {
    read: async (orderId) => records.get(orderId),
    async write(orderId, record) {
      if ((records.get(orderId)?.revision ?? 0) !== record.revision - 1) return false
      records.set(orderId, record)
      return true
    },
  }
}

/** While `hold` is true no message is sent; `copies` of each are sent, after `delayMs`. */
type Delivery = { hold: boolean; copies: number; delayMs: number }

type Messenger = {
  /** Delivers a message about the order in the background, with retries. */
  send(orderId: OrderId, message: Message): void
  behave(delivery: Partial<Delivery>): void
  /** Resolves when all deliveries have ended; `signal` must be aborted before. */
  ended(): Promise<void>
}

/** `clock` returns epoch ms. Aborting `signal` cancels undelivered messages. */
type MessengerOptions = {
  webhookUrl: string
  sign: Dialect['sign']
  clock: () => number
  signal: AbortSignal
  /** Called for a message that the shop has acknowledged. */
  onDelivered: (orderId: OrderId, messageId: string) => Promise<void>
}

const patienceMs = 10_000
const firstPauseMs = 250
const maxPauseMs = 8000

/**
 * Sends the results of payments to the shop until it answers 2xx. Each try has a new signature, because the shop
 * accepts a signature for a few minutes only; id and body stay the same.
 */
function createMessenger({ webhookUrl, sign, clock, signal, onDelivered }: MessengerOptions): Messenger {
  const changes = new EventEmitter()
  const underWay = new Set<Promise<void>>()
  let delivery: Delivery = { hold: false, copies: 1, delayMs: 0 }
  // Each waiting message has a listener, and a rush has thousands.
  setMaxListeners(0, changes, signal)

  async function deliver(orderId: OrderId, message: Message): Promise<void> {
    if (delivery.delayMs > 0) await sleep(delivery.delayMs, undefined, { signal, ref: false })
    while (delivery.hold) await once(changes, 'change', { signal })
    for (let tries = 0; !(await tryDeliver(message)); tries += 1) {
      const pauseMs = Math.min(firstPauseMs * 2 ** tries, maxPauseMs)
      await sleep(pauseMs, undefined, { signal, ref: false })
    }
    await onDelivered(orderId, message.id)
  }

  async function tryDeliver(message: Message): Promise<boolean> {
    const { body } = message
    const headers = { 'content-type': 'application/json', ...sign(message, new Date(clock())) }
    try {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const response = await fetch(webhookUrl, { method: 'POST', headers, body, signal: patience })
      await response.body?.cancel()
      return response.ok
    } catch {
      // The next try may succeed.
      signal.throwIfAborted()
      return false
    }
  }

  return {
    send(orderId, message) {
      for (let copy = 0; copy < delivery.copies; copy += 1) {
        const sending = deliver(orderId, message)
          .catch((failure: unknown) => {
            if (!signal.aborted) throw failure
          })
          .finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
    },
    behave(change) {
      delivery = { ...delivery, ...change }
      changes.emit('change')
    },
    async ended() {
      await Promise.all(underWay)
    },
  }
}
