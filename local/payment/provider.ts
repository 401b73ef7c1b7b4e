/**
 * A payment provider for the local system: an API for the shop, a page for the shopper, and signed
 * messages to the shop. The shop uses it like a real provider.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiPorts, answerShop, apiPrefix } from './api.ts'
import { createMessenger, type Delivery, type Message, type Messenger } from './messenger.ts'
import { answerShopper, pagePrefix, paymentPageUrl, type ShopperPorts } from './shopper.ts'
import { type ProviderPayment, paymentStore } from './store.ts'

/**
 * `webhookSecret` is one secret of Standard Webhooks (`whsec_…`); `clock` gives epoch ms, default
 * `Date.now`.
 */
export type ProviderOptions = {
  webhookUrl: string
  webhookSecret: string
  apiKey: string
  clock?: () => number
}

export type LocalPaymentProvider = {
  /**
   * Answers requests under `/local/pay/` and `/local/payment/`; false for all others, which are
   * left untouched.
   */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /**
   * The behaviour of messages from now on, for tests of a provider that is slow, silent or repeats
   * itself.
   */
  behave(delivery: Partial<Delivery>): void
  /** Cancels undelivered messages, and resolves when all deliveries have ended. */
  stop(): Promise<void>
}

/** How long a late payment and a refund take. */
const laterMs = 10_000
const refundMs = 500

export function startPaymentProvider({
  webhookUrl,
  webhookSecret,
  apiKey,
  clock = Date.now,
}: ProviderOptions): LocalPaymentProvider {
  const stopping = new AbortController()
  const messenger = createMessenger({ webhookUrl, webhookSecret, clock, signal: stopping.signal })
  const book = paymentStore()
  const timers = createTimers()

  function settle(payment: ProviderPayment, state: 'succeeded' | 'failed'): void {
    payment.state = state
    messenger.send(messenger.compose(`payment.${state}`, payment))
  }

  const shop: ApiPorts = {
    apiKey,
    open: (payment) => (book.open(payment) === undefined ? undefined : paymentPageUrl(payment.orderId)),
    refund: createRefunds(messenger, timers),
  }

  const shopper: ShopperPorts = {
    clock,
    newest: (orderId) => book.newest(orderId),
    decide(payment, choice) {
      if (payment.state !== 'open' || clock() >= payment.until) return false
      if (choice === 'later') {
        payment.state = 'on-its-way'
        timers.after(laterMs, () => settle(payment, 'succeeded'))
      } else settle(payment, choice === 'pay' ? 'succeeded' : 'failed')
      return true
    },
  }

  return {
    behave: messenger.behave,
    async routes(request, response) {
      const path = (request.url ?? '').split('?')[0] ?? ''
      if (path.startsWith(apiPrefix)) {
        const { status, body, headers } = await answerShop(shop, path, request)
        write(response, status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
      } else if (path.startsWith(pagePrefix)) {
        const { status, headers, body } = await answerShopper(shopper, path, request)
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

/** Refunds each payment once, however often the shop asks. */
function createRefunds(messenger: Messenger, timers: Timers): ApiPorts['refund'] {
  const refunds = new Map<string, Message>()
  return (payment) => {
    const known = refunds.get(payment.paymentId)
    if (known !== undefined) {
      // The shop asks again although it was notified, so it lost the notification.
      if (known.arrived) messenger.send(known)
      return
    }
    const message = messenger.compose('refund.succeeded', payment)
    refunds.set(payment.paymentId, message)
    timers.after(refundMs, () => messenger.send(message))
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
