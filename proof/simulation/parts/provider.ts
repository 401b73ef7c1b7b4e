/**
 * A payment provider that keeps accounts: payments, refunds, and the webhook messages about both.
 * It sends a message again until the shop acknowledges it.
 */
import type { PaymentEvent } from '../../../core/orders/payment-event.ts'
import type { PaymentProvider, PaymentRequest } from '../../../functions/lib/shop/payment-provider.ts'
import type { Simulation } from '../engine/simulation.ts'
import { stepper } from '../engine/step.ts'

/**
 * The money of one payment in minor units. `authorised` is reserved on the shopper's account, until it
 * is captured or `isReleased`; `received` and `refunded` are what really moved.
 */
type Account = PaymentRequest & {
  authorised: number
  isReleased: boolean
  received: number
  refunded: number
}

/** True when the message need not be sent again. */
export type Deliver = (eventId: string, body: string) => Promise<boolean>

export type SimulatedProvider = {
  port: PaymentProvider
  accounts: ReadonlyMap<string, Account>
  /**
   * The shopper pays the amount plus `extra`, or is declined; either way the shop is notified. Most
   * payments wait to be captured, some bring their money at once.
   */
  charge: (paymentId: string, extra: number) => void
  refuse: (paymentId: string) => void
  /** Someone pays for an order that does not exist. */
  stray: (request: PaymentRequest) => void
  /** Messages that the shop has not acknowledged. */
  undelivered: () => number
}

/** The share of refunds that are declined at the first request, as people and banks do. */
const declineRate = 0.3

/** The share of payments that are charged at once, as wallets and banks do. */
const atOnceRate = 0.3

/** The share of delivered messages that are sent once more. */
const duplicateRate = 0.3

export function simulatedProvider(simulation: Simulation, deliver: Deliver): SimulatedProvider {
  const { random, trace, profile, spawn, sleep } = simulation
  const { accounts, accountOf, register } = openAccounts()
  const { call } = stepper(simulation, 'provider')
  let events = 0
  let open = 0

  const sendEvent = (type: PaymentEvent['type'], account: Account) => {
    events += 1
    const eventId = `event-${events}`
    const { paymentId, orderId, currency } = account
    const body = JSON.stringify({
      type,
      data: { paymentId, orderId, amount: sumOf(type, account), currency },
    })
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

  const refund = (paymentId: string) => {
    const account = accountOf(paymentId)
    if (account.received === 0) throw new Error(`${paymentId} has no money to refund`)
    if (account.refunded > 0) return
    account.refunded = account.received
    trace.write('provider', `${account.refunded} of ${paymentId} refunded`)
    sendEvent('refund.succeeded', account)
  }

  const charge = (account: Account, amount: number) => {
    account.received = amount
    trace.write('provider', `${amount} charged for ${account.paymentId}`)
    sendEvent('payment.succeeded', account)
  }

  const isOver = ({ received, isReleased }: Account) => received > 0 || isReleased

  return {
    accounts,
    port: {
      start: call('start', async (request) => {
        register(request)
        return { url: `https://pay.example/${request.paymentId}` }
      }),
      capture: call('capture', async ({ paymentId }) => {
        const account = accountOf(paymentId)
        if (!isOver(account)) charge(account, account.authorised)
        return account.isReleased ? 'released' : 'captured'
      }),
      release: call('release', async ({ paymentId }) => {
        const account = accountOf(paymentId)
        if (!isOver(account)) {
          account.isReleased = true
          trace.write('provider', `${paymentId} released`)
          sendEvent('payment.failed', account)
        }
        return account.isReleased ? 'released' : 'captured'
      }),
      withdraw: call('withdraw', async ({ paymentId }) => {
        const account = accounts.get(paymentId)
        if (account === undefined || isOver(account) || account.authorised > 0) return
        account.isReleased = true
        sendEvent('payment.failed', account)
      }),
      refund: call('refund', async ({ paymentId }) => {
        if (profile.rate > 0 && random.chance(declineRate)) {
          trace.countFault('provider refund', 'refused')
          throw new Error('no refunds are made right now')
        }
        refund(paymentId)
      }),
    },
    charge(paymentId, extra) {
      const account = accountOf(paymentId)
      if (isOver(account) || account.authorised > 0) return
      if (random.chance(atOnceRate)) return charge(account, account.amount + extra)
      account.authorised = account.amount + extra
      trace.write('provider', `${account.authorised} authorised for ${paymentId}`)
      sendEvent('payment.authorised', account)
    },
    refuse(paymentId) {
      const account = accountOf(paymentId)
      if (isOver(account) || account.authorised > 0) return
      trace.write('provider', `${paymentId} failed`)
      sendEvent('payment.failed', account)
    },
    stray(request) {
      register(request)
      const account = accountOf(request.paymentId)
      if (random.chance(atOnceRate)) return charge(account, request.amount)
      account.authorised = request.amount
      sendEvent('payment.authorised', account)
    },
    undelivered: () => open,
  }
}

function sumOf(type: PaymentEvent['type'], { amount, authorised, received, refunded }: Account): number {
  switch (type) {
    case 'payment.authorised':
      return authorised
    case 'payment.succeeded':
      return received
    case 'refund.succeeded':
    case 'refund.failed':
      return refunded
    case 'payment.failed':
    case 'payment.disputed':
    case 'dispute.won':
    case 'dispute.lost':
      return amount
  }
}

function openAccounts() {
  const accounts = new Map<string, Account>()
  return {
    accounts,
    accountOf(paymentId: string): Account {
      const account = accounts.get(paymentId)
      if (account === undefined) throw new Error(`no payment ${paymentId}`)
      return account
    },
    register(request: PaymentRequest): void {
      if (accounts.has(request.paymentId)) return
      accounts.set(request.paymentId, {
        ...request,
        authorised: 0,
        isReleased: false,
        received: 0,
        refunded: 0,
      })
    },
  }
}
