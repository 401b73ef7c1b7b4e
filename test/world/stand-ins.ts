/** Fakes of SQS and a payment provider: they record calls, and fail on command. */
import type { PaymentMoney } from '../../core/orders/order-life.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { AuthorisationEnd, PaymentProvider, PaymentRequest } from '../../functions/lib/shop/payment-provider.ts'
import type { BeforeRedrive } from '../../functions/lib/shop/shop.ts'
import { memoryQueue } from '../contract/fakes/queue.ts'
import { outage } from './outage.ts'

/** The order queue with its dead letters. */
export function memoryOrderQueue() {
  const switchable = memoryQueue()
  const { messages } = switchable
  /** Order ids that the queue never accepts. */
  const refused = new Set<string>()
  const dead: OrderMessage[] = []
  /** Order ids whose dead letters are not redriven automatically. */
  const hopeless = new Set<string>()
  return {
    ...switchable,
    refused,
    dead,
    hopeless,
    depth: async () => {
      switchable.pass()
      return { visible: messages.length, inFlight: 0, delayed: 0 }
    },
    deadLetters: async () => {
      switchable.pass()
      return dead.length
    },
    units: async () => {
      switchable.pass()
      return new Map(
        dead.map(({ orderId, shopperId, quantity, variant, packet }) => {
          return [orderId, { shopperId, quantity, ...(variant && { variant }), ...(packet && { packet }) }]
        }),
      )
    },
    retry: async (_deadline: number, before: BeforeRedrive) => {
      switchable.pass()
      if (dead.length > 0) await before(new Set(dead.map(({ saleId }) => saleId)))
      const hopeful = dead.filter(({ orderId }) => !hopeless.has(orderId))
      messages.push(...hopeful)
      dead.splice(0, dead.length, ...dead.filter((message) => !hopeful.includes(message)))
      return { moved: hopeful.length, missed: 0 }
    },
    sendAll: async (sent: readonly OrderMessage[]) =>
      sent.map((message) => {
        try {
          switchable.pass()
        } catch (cause) {
          return new Error('SQS did not take the batch', { cause })
        }
        if (refused.has(message.orderId)) return new Error('SQS refused the message')
        messages.push(message)
        return undefined
      }),
  }
}

/** Authorised money, each captured or released once. `settled` has how each authorisation ended, `withdrawn` the payments whose page was closed; `pass` throws while the provider is unavailable. */
function settledMoney(pass: () => void) {
  const withdrawn: PaymentRequest[] = []
  const settled = new Map<string, AuthorisationEnd>()
  const end = async (paymentId: string, wanted: AuthorisationEnd): Promise<AuthorisationEnd> => {
    pass()
    const end = settled.get(paymentId) ?? wanted
    settled.set(paymentId, end)
    return end
  }
  const calls: Pick<PaymentProvider, 'capture' | 'release' | 'withdraw'> = {
    capture: ({ paymentId }) => end(paymentId, 'captured'),
    release: ({ paymentId }) => end(paymentId, 'released'),
    async withdraw(request) {
      pass()
      withdrawn.push(request)
    },
  }
  return { settled, withdrawn, calls }
}

/** A payment provider that records its requests. */
export function memoryProvider() {
  const switchable = outage('the payment provider')
  const { settled, withdrawn, calls } = settledMoney(switchable.pass)
  const asked: (PaymentMoney & { orderId: string })[] = []
  const started: PaymentRequest[] = []
  return {
    ...switchable,
    asked,
    started,
    settled,
    withdrawn,
    ...calls,
    start: async (request: PaymentRequest) => {
      switchable.pass()
      started.push(request)
      return { url: `https://pay.example/${request.paymentId}` }
    },
    refund: async (refund: PaymentMoney & { orderId: string }) => {
      switchable.pass()
      asked.push(refund)
    },
  }
}
