/**
 * A payment provider with a till: what came, what went back, and the messages about both, which it sends again and
 * again until somebody says they have them.
 */
import type { PaymentEvent } from '../../core/payment-event.ts'
import type { PaymentProvider, PaymentRequest } from '../../functions/orders/payment-provider.ts'
import type { Simulation } from '../engine/simulation.ts'
import { stepper } from '../engine/step.ts'

/** Money of one payment; `received` and `refunded` are what really moved, in minor units. */
export type Account = PaymentRequest & { received: number; refunded: number }

/** True when the message need not be sent again. */
export type Deliver = (eventId: string, body: string) => Promise<boolean>

export type SimulatedProvider = {
  port: PaymentProvider
  accounts: ReadonlyMap<string, Account>
  /** The shopper's card is charged what is asked for and `extra`, or it is refused; either way the shop is told. */
  charge: (paymentId: string, extra: number) => void
  refuse: (paymentId: string) => void
  /** Money arrives that no order of ours asked for. */
  stray: (request: PaymentRequest) => void
  /** Messages that nobody has said to have. */
  undelivered: () => number
}

/** Refunds are made by people and banks: so many are turned down the first time they are asked for. */
const notNowRate = 0.3

/** Of the messages that were delivered, so many are sent once more. */
const againRate = 0.3

export function simulatedProvider(simulation: Simulation, deliver: Deliver): SimulatedProvider {
  const { dice, diary, weather, spawn, sleep } = simulation
  const accounts = new Map<string, Account>()
  const { call } = stepper(simulation, 'provider')
  let events = 0
  let open = 0

  const tell = (type: PaymentEvent['type'], account: Account) => {
    events += 1
    const eventId = `event-${events}`
    const { paymentId, orderId, amount, currency, received, refunded } = account
    const sums = { 'payment.succeeded': received, 'payment.failed': amount, 'refund.succeeded': refunded }
    const sum = sums[type]
    const body = JSON.stringify({ type, data: { paymentId, orderId, amount: sum, currency } })
    open += 1
    spawn(eventId, async () => {
      await sleep(weather.rate === 0 ? 5 : dice.spread(5, 20_000))
      while (!(await deliver(eventId, body))) await sleep(dice.spread(500, 30_000))
      open -= 1
      if (weather.rate === 0 || !dice.chance(againRate)) return
      diary.strikes('wire webhook', 'twice')
      await sleep(dice.spread(5, 60_000))
      await deliver(eventId, body)
    })
  }

  const accountOf = (paymentId: string): Account => {
    const account = accounts.get(paymentId)
    if (account === undefined) throw new Error(`the provider knows no payment ${paymentId}`)
    return account
  }

  const register = (request: PaymentRequest) => {
    if (!accounts.has(request.paymentId))
      accounts.set(request.paymentId, { ...request, received: 0, refunded: 0 })
  }

  const refund = (paymentId: string) => {
    const account = accountOf(paymentId)
    if (account.received === 0) throw new Error(`${paymentId} has no money to send back`)
    if (account.refunded > 0) return
    account.refunded = account.received
    diary.write('provider', `${account.refunded} of ${paymentId} go back`)
    tell('refund.succeeded', account)
  }

  return {
    accounts,
    port: {
      start: call('start', async (request) => {
        register(request)
        return { url: `https://pay.example/${request.paymentId}` }
      }),
      refund: call('refund', async ({ paymentId }) => {
        if (weather.rate > 0 && dice.chance(notNowRate)) {
          diary.strikes('provider refund', 'refused')
          throw new Error('no refunds are made right now')
        }
        refund(paymentId)
      }),
    },
    charge(paymentId, extra) {
      const account = accountOf(paymentId)
      if (account.received > 0) return
      account.received = account.amount + extra
      diary.write('provider', `${account.received} came with ${paymentId}`)
      tell('payment.succeeded', account)
    },
    refuse(paymentId) {
      const account = accountOf(paymentId)
      if (account.received > 0) return
      diary.write('provider', `${paymentId} failed`)
      tell('payment.failed', account)
    },
    stray(request) {
      register(request)
      accountOf(request.paymentId).received = request.amount
      tell('payment.succeeded', accountOf(request.paymentId))
    },
    undelivered: () => open,
  }
}
