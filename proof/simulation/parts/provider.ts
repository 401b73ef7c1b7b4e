/**
 * The payment provider of a simulated sale: the payment book of the simulated provider, with webhook messages that are
 * resent until the shop acknowledges them. Money moves late, at once or in another amount, as with real banks.
 */
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import type { AuthorisationEnd, PaymentProvider, PaymentRequest } from '../../../functions/lib/shop/payment-provider.ts'
import {
  noRecord,
  type PaymentReport,
  type PaymentStep,
  paidOf,
  paymentSteps,
  recordAfter,
  refundedOf,
} from '../../../functions/orders/payments/payment-ledger.ts'
import { composeSimulated } from '../../../functions/orders/payments/simulated-api.ts'
import type { PaymentRecord, ProviderPayment } from '../../../functions/table/orders/simulated-payments.ts'
import type { PaymentAccount } from '../../invariants/snapshot.ts'
import type { Simulation } from '../engine/simulation.ts'
import { stepper } from '../engine/step.ts'

/** Delivers a message; true when the shop acknowledged it. */
export type Deliver = (eventId: string, body: string) => Promise<boolean>

export type SimulatedProvider = ReturnType<typeof simulatedProvider>

/** The share of refund requests that fail. */
const declineRate = 0.3

/** The share of payments that are captured at once, as by some wallets and banks. */
const atOnceRate = 0.3

/** The share of delivered messages that are sent again. */
const duplicateRate = 0.3

export function simulatedProvider(simulation: Simulation, deliver: Deliver) {
  const { random, trace, profile, spawn, sleep, now } = simulation
  const { call } = stepper(simulation, 'provider')
  /** The payments of all orders. Steps run one at a time, so no store with revisions is needed. */
  let record: PaymentRecord = noRecord
  let events = 0
  let open = 0

  function take<T>(step: PaymentStep<T>): T {
    if (step.payment !== undefined) record = recordAfter(record, step)
    if (step.report !== undefined) send(step.report)
    return step.answer
  }

  function send(report: PaymentReport): void {
    const { body } = composeSimulated(report, now())
    trace.write('provider', `${report.payment.paymentId} ${report.what}: ${paidOf(report.payment)}`)
    events += 1
    const eventId = `event-${events}`
    open += 1
    spawn(eventId, async () => {
      await sleep(profile.rate === 0 ? 5 : random.spread(5, 20_000))
      while (!(await deliver(eventId, body))) await sleep(random.spread(500, 30_000))
      open -= 1
      if (profile.rate === 0 || !random.chance(duplicateRate)) return
      trace.countFault('wire webhook', 'twice')
      await sleep(random.spread(5, 60_000))
      await deliver(eventId, body)
    })
  }

  function register({ orderId, paymentId, amount, currency, product, until }: PaymentRequest): void {
    const wanted = { orderId: toOrderId(orderId), paymentId, amount, currency, product, until }
    take(paymentSteps.open(record, { ...wanted, returnUrl: '' }))
  }

  function paymentOf(paymentId: string): ProviderPayment {
    const payment = record.payments.find((one) => one.paymentId === paymentId)
    if (payment === undefined) throw new Error(`no payment ${paymentId}`)
    return payment
  }

  /**
   * The shopper pays the amount plus `extra`, and the shop is notified. Most payments are authorised and captured
   * later, some are captured at once.
   */
  function charge(paymentId: string, extra: number): void {
    const { state, amount } = paymentOf(paymentId)
    if (state !== 'open') return
    const atOnce = random.chance(atOnceRate)
    take(paymentSteps.pay(record, paymentId, { paid: amount + extra, atOnce }))
  }

  const port: PaymentProvider = {
    start: call('start', async (request) => {
      register(request)
      return { url: `https://pay.example/${request.paymentId}` }
    }),
    capture: call('capture', async ({ paymentId }) => settle(paymentId, 'captured')),
    release: call('release', async ({ paymentId }) => settle(paymentId, 'released')),
    withdraw: call('withdraw', async ({ paymentId }) => take(paymentSteps.expire(record, paymentId))),
    refund: call('refund', async ({ paymentId }) => {
      if (profile.rate > 0 && random.chance(declineRate)) {
        trace.countFault('provider refund', 'refused')
        throw new Error('no refunds are made right now')
      }
      const payment = paymentOf(paymentId)
      const facts = { ...payment, amount: paidOf(payment) }
      if (!take(paymentSteps.refund(record, facts, `refund of ${paymentId}`)))
        throw new Error(`${paymentId} has no money to refund`)
    }),
  }
  return {
    /** Returns the money of each payment as it moved. */
    accounts: () => record.payments.map(accountOf),
    port,
    charge,
    refuse: (paymentId: string) => void take(paymentSteps.decline(record, paymentId, { ends: false })),
    /** Someone pays for an order that does not exist. */
    payUnknownOrder(request: PaymentRequest) {
      register(request)
      charge(request.paymentId, 0)
    },
    /** Returns the number of messages that the shop has not acknowledged. */
    undelivered: () => open,
  }

  function settle(paymentId: string, wanted: AuthorisationEnd): AuthorisationEnd {
    return take(paymentSteps.settle(record, paymentOf(paymentId).paymentId, wanted))
  }
}

function accountOf(payment: ProviderPayment): PaymentAccount & { orderId: string } {
  const { orderId, paymentId, state } = payment
  const isReleased = state === 'released' || state === 'failed'
  const authorised = state === 'authorised' || state === 'released' ? paidOf(payment) : 0
  const received = state === 'captured' ? paidOf(payment) : 0
  return { orderId, paymentId, authorised, isReleased, received, refunded: refundedOf(payment) }
}

/** @throws Error for any other text */
function toOrderId(text: string): OrderId {
  const orderId = parseOrderId(text)
  if (orderId === undefined) throw new Error(`${text} is not an order id`)
  return orderId
}
