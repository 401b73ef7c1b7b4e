/**
 * The ledger of a simulated provider: the function `payment-simulator`, the local Stripe, and the provider of the fault
 * simulation use it. The shopper authorises money, then the shop captures or releases it. `paymentSteps` decides, and
 * `createLedger` applies the steps to a store. A change and its messages are stored together, so a crash loses neither.
 */
import type { OrderId } from '../../../core/ids.ts'
import type { PaymentChoice } from '../../../templates/pages/payment-simulator.ts'
import { retry } from '../../lib/retry.ts'
import type { AuthorisationEnd } from '../../lib/shop/payment-provider.ts'
import type {
  Message,
  NewPayment,
  PaymentFacts,
  PaymentRecord,
  PaymentStore,
  ProviderPayment,
  StoredMessage,
} from '../../table/orders/simulated-payments.ts'

type PaymentIds = Pick<PaymentFacts, 'orderId' | 'paymentId'>

/** A change of a payment, as reported to the shop. */
export type PaymentReport =
  | { what: 'authorised' | 'captured' | 'released' | 'failed' | 'expired'; payment: ProviderPayment }
  | {
      what: 'disputed' | 'dispute-won' | 'dispute-lost' | 'dispute-prevented'
      payment: ProviderPayment
      disputeId: string
    }
  | { what: 'refunded'; payment: ProviderPayment; refundId: string; amount: number }

export type LedgerPorts = {
  store: PaymentStore
  clock: () => number
  compose: (report: PaymentReport) => Message
  /** Called after these messages are stored. */
  notify: (orderId: OrderId, messages: readonly Message[]) => void
  /** True when a declined payment has ended; otherwise the shopper may try again on the same page. */
  declineEnds: boolean
  /** How long a delayed payment takes, ms. */
  delayedPaymentMs: number
}

/** `payment` replaces the payment with its id, or is added. `resend` are messages to send again. */
export type PaymentStep<T> = {
  answer: T
  payment?: ProviderPayment
  report?: PaymentReport
  resend?: readonly StoredMessage[]
}

export const noRecord: PaymentRecord = { revision: 0, payments: [], messages: [] }

/** Decides the steps of a payment from its record alone. A step without a change has only an answer. */
export const paymentSteps = {
  open(record: PaymentRecord, wanted: NewPayment): PaymentStep<ProviderPayment | undefined> {
    const known = paymentOf(record, wanted.paymentId)
    if (known !== undefined) return { answer: isSame(known, wanted) ? known : undefined }
    const payment: ProviderPayment = { ...wanted, state: 'open', refunds: [] }
    return { answer: payment, payment }
  },
  /** The shopper pays the amount, or `paid`. `atOnce` captures the money without an authorisation. */
  pay: (
    record: PaymentRecord,
    paymentId: string,
    { paid, atOnce = false }: { paid?: number; atOnce?: boolean } = {},
  ): PaymentStep<boolean> =>
    ofPayment(record, paymentId, false, (payment) => {
      if (payment.state !== 'open') return { answer: false }
      const isOther = paid !== undefined && paid !== payment.amount
      return moveTo({ ...payment, ...(isOther && { paid }) }, atOnce ? 'captured' : 'authorised', true)
    }),
  /** Unless it `ends`, the shopper may try again on the same page. */
  decline: (record: PaymentRecord, paymentId: string, { ends }: { ends: boolean }): PaymentStep<boolean> =>
    ofPayment(record, paymentId, false, (payment) => {
      if (payment.state !== 'open') return { answer: false }
      return ends ? moveTo(payment, 'failed', true) : { answer: true, payment, report: { what: 'failed', payment } }
    }),
  settle: (record: PaymentRecord, paymentId: string, wanted: AuthorisationEnd): PaymentStep<AuthorisationEnd> =>
    ofPayment<AuthorisationEnd>(record, paymentId, 'released', (payment) =>
      payment.state === 'authorised'
        ? moveTo(payment, wanted, wanted)
        : { answer: payment.state === 'captured' ? 'captured' : 'released' },
    ),
  expire: (record: PaymentRecord, paymentId: string): PaymentStep<void> =>
    ofPayment<void>(record, paymentId, undefined, (payment) => {
      if (payment.state !== 'open') return { answer: undefined }
      const failed: ProviderPayment = { ...payment, state: 'failed' }
      return { answer: undefined, payment: failed, report: { what: 'expired', payment: failed } }
    }),
  /** A payment that the provider has lost, as after a restart, counts as captured. */
  refund(record: PaymentRecord, facts: PaymentFacts, refundId: string): PaymentStep<boolean> {
    const { amount } = facts
    const payment = paymentOf(record, facts.paymentId) ?? forgottenPayment(facts)
    if (payment.refunds.some((one) => one.refundId === refundId)) {
      const resend = record.messages.filter((one) => one.refundId === refundId && one.isDelivered)
      return resend.length === 0 ? { answer: true } : { answer: true, resend }
    }
    if (payment.state !== 'captured' || refundedOf(payment) + amount > paidOf(payment)) return { answer: false }
    const after = { ...payment, refunds: [...payment.refunds, { refundId, amount }] }
    return { answer: true, payment: after, report: { what: 'refunded', payment: after, refundId, amount } }
  },
} as const

function ofPayment<T>(
  record: PaymentRecord,
  paymentId: string,
  unknown: T,
  step: (payment: ProviderPayment) => PaymentStep<T>,
): PaymentStep<T> {
  const payment = paymentOf(record, paymentId)
  return payment === undefined ? { answer: unknown } : step(payment)
}

export type PaymentLedger = ReturnType<typeof createLedger>

export function createLedger(ports: LedgerPorts) {
  const { store, clock, declineEnds, delayedPaymentMs } = ports
  const read = async (orderId: OrderId) => (await store.read(orderId)) ?? noRecord

  /** Retries when the record changed meanwhile. */
  async function change<T>(orderId: OrderId, step: (record: PaymentRecord) => PaymentStep<T>): Promise<T> {
    const { answer } = await retry(async () => {
      const record = await read(orderId)
      const taken = step(record)
      if (taken.payment === undefined && taken.resend === undefined) return taken
      const { next, messages } = applyStep(ports, record, taken)
      if (!(await store.write(orderId, next))) return undefined
      if (messages.length > 0) ports.notify(orderId, messages)
      return taken
    })
    return answer
  }

  return {
    /** Opens the payment or finds it; resolves with undefined when the id belongs to another payment. */
    open: (wanted: NewPayment) => change(wanted.orderId, (record) => paymentSteps.open(record, wanted)),
    find: async ({ orderId, paymentId }: PaymentIds) => paymentOf(await read(orderId), paymentId),
    /** Resolves with the latest payment of an order. */
    newest: async (orderId: OrderId) => (await read(orderId)).payments.at(-1),
    /** Resolves with true when the choice counts: the payment was open, and the shop was still waiting for it. */
    decide: ({ orderId, paymentId }: PaymentIds, choice: PaymentChoice) =>
      change(orderId, (record): PaymentStep<boolean> => {
        const payment = paymentOf(record, paymentId)
        if (payment?.state !== 'open' || clock() >= payment.until) return { answer: false }
        if (choice === 'fail') return paymentSteps.decline(record, paymentId, { ends: declineEnds })
        if (choice === 'pay') return paymentSteps.pay(record, paymentId)
        return { answer: true, payment: { ...payment, state: 'on-its-way', arrivesAt: clock() + delayedPaymentMs } }
      }),
    /** Authorises a delayed payment of the order whose time has come. */
    arrive: (orderId: OrderId) =>
      change<void>(orderId, ({ payments }) => {
        const arrived = payments.find(({ state, arrivesAt = 0 }) => state === 'on-its-way' && arrivesAt <= clock())
        return arrived === undefined ? { answer: undefined } : moveTo(arrived, 'authorised', undefined)
      }),
    /** Captures or releases authorised money and resolves with the outcome. An unknown authorisation is released. */
    settle: ({ orderId, paymentId }: PaymentIds, wanted: AuthorisationEnd) =>
      change(orderId, (record) => paymentSteps.settle(record, paymentId, wanted)),
    /** Ends a payment that is not paid. */
    expire: ({ orderId, paymentId }: PaymentIds) => change(orderId, (record) => paymentSteps.expire(record, paymentId)),
    /**
     * Refunds `amount` of captured money, once per `refundId`; resolves with false when less is left. A shop that repeats
     * the request after it was notified has lost the message and receives it again.
     */
    refund: (facts: PaymentFacts, refundId: string) =>
      change(facts.orderId, (record) => paymentSteps.refund(record, facts, refundId)),
    /** Removes a refund that the bank returned, so that its money can be refunded again. */
    returnRefund: ({ orderId, paymentId }: PaymentIds, refundId: string) =>
      change<void>(orderId, (record) =>
        ofPayment(record, paymentId, undefined, (payment) => {
          const refunds = payment.refunds.filter((one) => one.refundId !== refundId)
          return { answer: undefined, payment: { ...payment, refunds } }
        }),
      ),
    /** Opens a dispute, or ends it. A prevented dispute has returned the money. */
    dispute: ({ orderId, paymentId }: PaymentIds, disputeId: string, verdict?: 'won' | 'lost' | 'prevented') =>
      change<void>(orderId, (record) =>
        ofPayment(record, paymentId, undefined, (payment) => ({
          ...{ answer: undefined, payment },
          report: { what: verdict === undefined ? 'disputed' : `dispute-${verdict}`, payment, disputeId },
        })),
      ),
    /** Resolves with the messages that the shop has not acknowledged. */
    undelivered: async (orderId: OrderId): Promise<readonly Message[]> =>
      (await read(orderId)).messages.filter(({ isDelivered }) => !isDelivered),
    async markDelivered(orderId: OrderId, messageId: string) {
      await retry(async () => {
        const { revision, payments, messages } = await read(orderId)
        const marked = messages.map((one) => (one.id === messageId ? { ...one, isDelivered: true } : one))
        const isWritten = await store.write(orderId, { revision: revision + 1, payments, messages: marked })
        return isWritten || undefined
      })
    },
  }
}

/** Returns the record after a step, and the messages to send. */
function applyStep<T>(
  { compose }: LedgerPorts,
  record: PaymentRecord,
  step: PaymentStep<T>,
): { next: PaymentRecord; messages: readonly Message[] } {
  const { report, resend = [] } = step
  const added = report === undefined ? [] : [toStoredMessage(compose(report), report)]
  const repeated = new Set(resend.map(({ id }) => id))
  const kept = record.messages.map((one) => (repeated.has(one.id) ? { ...one, isDelivered: false } : one))
  return { next: { ...recordAfter(record, step), messages: [...kept, ...added] }, messages: [...resend, ...added] }
}

/** Returns the next revision of a record, with the payment that a step has changed. */
export function recordAfter<T>(
  { revision, payments, messages }: PaymentRecord,
  { payment }: PaymentStep<T>,
): PaymentRecord {
  const isKnown = payments.some(({ paymentId }) => paymentId === payment?.paymentId)
  const written =
    payment === undefined || !isKnown
      ? [...payments, ...(payment ? [payment] : [])]
      : payments.map((one) => (one.paymentId === payment.paymentId ? payment : one))
  return { revision: revision + 1, payments: written, messages }
}

function toStoredMessage(message: Message, report: PaymentReport): StoredMessage {
  return { ...message, isDelivered: false, ...(report.what === 'refunded' && { refundId: report.refundId }) }
}

function moveTo<T>(
  before: ProviderPayment,
  state: 'authorised' | 'captured' | 'released' | 'failed',
  answer: T,
): PaymentStep<T> {
  const payment = { ...before, state }
  return { answer, payment, report: { what: state, payment } }
}

function forgottenPayment(facts: PaymentFacts): ProviderPayment {
  return { ...facts, product: '', until: 0, returnUrl: '', state: 'captured', refunds: [] }
}

/** Returns the money that the shopper paid, in minor units. */
export const paidOf = ({ amount, paid = amount }: ProviderPayment): number => paid

/** Returns the refunded money, in minor units. */
export const refundedOf = ({ refunds }: ProviderPayment): number => refunds.reduce((sum, { amount }) => sum + amount, 0)

function paymentOf({ payments }: PaymentRecord, paymentId: string): ProviderPayment | undefined {
  return payments.find((payment) => payment.paymentId === paymentId)
}

function isSame(known: ProviderPayment, { orderId, amount, currency }: NewPayment): boolean {
  return known.orderId === orderId && known.amount === amount && known.currency === currency
}
