/**
 * A payment provider for the local system: an API for the shop, a page for the shopper, and signed
 * messages to the shop. The shop uses it like a real provider.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ProviderName } from '../../functions/payments/choose.ts'
import { type Book, paymentBook } from './book.ts'
import { apiPrefix, type Dialect, type Message } from './dialect.ts'
import { createMessenger, type Delivery } from './messenger.ts'
import { answerShopper, pagePrefix } from './shopper.ts'
import { simulatedDialect } from './simulated-api.ts'
import { stripeApiPrefix, stripeDialect } from './stripe-api.ts'

/**
 * `provider` is whose API it has, `shopUrl` where its pages are. `webhookSecret` is one secret of that
 * provider's webhooks (`whsec_…`); `clock` gives epoch ms, default `Date.now`.
 */
export type ProviderOptions = {
  provider: ProviderName
  shopUrl: string
  webhookUrl: string
  webhookSecret: string
  apiKey: string
  clock?: () => number
  /** How long a late payment takes, default ten seconds, as the page says. */
  laterMs?: number
}

export type LocalPaymentProvider = {
  /**
   * Answers requests under `/local/pay/` and `/local/payment/`, or `/v1/` for Stripe; false for all others, which are
   * left untouched.
   */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /**
   * The behaviour of messages from now on, for tests of a provider that is slow, silent or repeats
   * itself.
   */
  behave(delivery: Partial<Delivery>): void
  /** The payments, for what people do at a provider: refund a part, dispute a payment. */
  book: Book
  /** Cancels undelivered messages, and resolves when all deliveries have ended. */
  stop(): Promise<void>
}

export function startPaymentProvider({
  provider,
  shopUrl,
  webhookUrl,
  webhookSecret,
  apiKey,
  clock = Date.now,
  laterMs = 10_000,
}: ProviderOptions): LocalPaymentProvider {
  const stopping = new AbortController()
  const { signal } = stopping
  const timers = createTimers()
  const book = paymentBook({
    ...{ clock, laterMs, after: timers.after, declineEnds: provider === 'simulated' },
    report(report) {
      const message = dialect.compose(report)
      if (message !== undefined) messenger.send(message)
    },
  })
  const ports = { apiKey, webhookSecret, clock, book, after: timers.after }
  const send = (message: Message) => messenger.send(message)
  const dialect: Dialect =
    provider === 'stripe' ? stripeDialect({ ...ports, shopUrl }) : simulatedDialect({ ...ports, send })
  const messenger = createMessenger({ webhookUrl, sign: dialect.sign, clock, signal })

  return {
    book,
    behave: messenger.behave,
    async routes(request, response) {
      const path = (request.url ?? '').split('?')[0] ?? ''
      if (path.startsWith(provider === 'stripe' ? stripeApiPrefix : apiPrefix)) {
        const { status, body, headers } = await dialect.answer(path, request)
        write(response, status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
      } else if (path.startsWith(pagePrefix)) {
        const { status, headers, body } = await answerShopper({ clock, book }, path, request)
        write(response, status, headers, body)
      } else return false
      return true
    },
    async stop() {
      stopping.abort()
      timers.cancelAll()
      await messenger.ended()
    },
  }
}

type Timers = {
  after(milliseconds: number, task: () => void): void
  cancelAll(): void
}

/** Timers that do not keep the process alive. */
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

function write(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
