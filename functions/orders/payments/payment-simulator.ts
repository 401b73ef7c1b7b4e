/**
 * Runs the simulated provider as a function, for stages where no money moves. A change of a payment and its message to the
 * shop are stored together. Messages are sent while the shopper is on the payment page, which reloads until the shop has
 * acknowledged them, and when the shop requests a refund, which it repeats every minute. So a crash or an outage only
 * delays a message, without a queue or a schedule.
 */
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { userAgent } from '../../../core/lib/user-agent.ts'
import { paymentFacts } from '../../../core/orders/payment-event.ts'
import type { HttpAnswer } from '../../lib/http/answer.ts'
import { createApp } from '../../lib/http/app.ts'
import { responseOf } from '../../lib/http/stand-ins.ts'
import { errorFacts, type Log } from '../../lib/telemetry.ts'
import type { Message, PaymentStore } from '../../table/orders/simulated-payments.ts'
import { createLedger, type PaymentLedger } from './payment-ledger.ts'
import { answerSimulatedApi, composeSimulated, type ProviderRequest, signSimulated } from './simulated-api.ts'
import { answerShopper } from './simulated-shopper.ts'

const pagePrefix = '/pay/'
const apiPrefix = '/pay/api/'

/** How long a payment takes that the shopper chose to delay, ms. */
const delayedPaymentMs = 10_000

/** The shop answers within ten seconds, after it has captured the money. */
const pageTimeoutMs = 7000
/** The shop waits two seconds for the answer to its own call. */
const refundTimeoutMs = 1500

export type PaymentSimulatorPorts = {
  store: PaymentStore
  clock: () => number
  apiKey: string
  /** Sends a message to the shop; resolves with true when the shop acknowledges it in time. */
  deliver: (message: Message, timeoutMs: number) => Promise<boolean>
}

/** Answers the shop under `/pay/api/` and shoppers under `/pay/`. */
export const paymentSimulatorApp = (ports: PaymentSimulatorPorts) =>
  createApp(ports, [], async ({ req }) => {
    const { pathname, searchParams } = new URL(req.url)
    const body = new Uint8Array(await req.arrayBuffer())
    const asked = { method: req.method, path: pathname, query: searchParams, headers: req.header(), body }
    return responseOf(await answer(ports, asked))
  })

async function answer(ports: PaymentSimulatorPorts, request: ProviderRequest): Promise<HttpAnswer> {
  const { apiKey, store, clock } = ports
  const ledger = createLedger({
    ...{ store, clock, delayedPaymentMs, declineEnds: true },
    compose: (report) => composeSimulated(report, clock()),
    // Messages are sent below, once the answer is known.
    notify: () => {},
  })
  if (request.path.startsWith(apiPrefix)) {
    const answered = await answerSimulatedApi({ apiKey, ledger, prefix: apiPrefix, pagePrefix, clock }, request)
    // The answer to a capture or release reports its result, so no message is needed.
    const isRefund = request.path === `${apiPrefix}refunds` && answered.statusCode < 300
    const refund = isRefund ? readJson(paymentFacts, request.body) : undefined
    if (refund?.ok) await sendMessages(ports, ledger, refund.value.orderId, refundTimeoutMs)
    return answered
  }
  const isWaiting = async (orderId: OrderId) => {
    await ledger.arrive(orderId)
    await sendMessages(ports, ledger, orderId, pageTimeoutMs)
    const isOnItsWay = (await ledger.newest(orderId))?.state === 'on-its-way'
    return isOnItsWay || (await ledger.undelivered(orderId)).length > 0
  }
  const orderId = parseOrderId(request.path.slice(pagePrefix.length))
  if (orderId !== undefined && request.method === 'GET') await isWaiting(orderId)
  return answerShopper({ provider: 'simulated', ledger, clock, prefix: pagePrefix, isWaiting }, request)
}

/** Sends messages twice, because the shop captures the money while it handles the message of the authorisation. */
async function sendMessages(
  { deliver, clock }: PaymentSimulatorPorts,
  ledger: PaymentLedger,
  orderId: OrderId,
  timeoutMs: number,
): Promise<void> {
  const deadline = clock() + timeoutMs
  for (let round = 0; round < 2; round += 1) {
    for (const message of await ledger.undelivered(orderId)) {
      const leftMs = deadline - clock()
      if (leftMs <= 0 || !(await deliver(message, leftMs))) return
      await ledger.markDelivered(orderId, message.id)
    }
  }
}

/** Sends messages to the shop's webhook and signs each try. `secret` is a webhook secret of the shop. */
export function webhookSender(
  { shopUrl, secret }: { shopUrl: string; secret: string },
  log: Log,
): PaymentSimulatorPorts['deliver'] {
  const sign = signSimulated(secret)
  const url = new URL('/api/payments/webhook', shopUrl)
  return async (message: Message, timeoutMs) => {
    const { id, body } = message
    const agent = { accept: 'application/json', 'user-agent': userAgent(shopUrl) }
    const headers = { ...agent, 'content-type': 'application/json', ...sign(message, new Date()) }
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
      await response.body?.cancel()
      if (!response.ok) log.warn('message refused by the shop', { messageId: id, status: response.status })
      return response.ok
    } catch (error) {
      // The message stays due, and the next reload of the page sends it again.
      log.warn('message not delivered', { messageId: id, ...errorFacts(error) })
      return false
    }
  }
}
