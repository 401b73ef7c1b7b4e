/** What a world has instead of SQS and a payment provider: they record, and fail on command. */
import type { PaymentMoney } from '../../core/orders/order-life.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { AuthorisationEnd, PaymentProvider, PaymentRequest } from '../../functions/lib/shop/payment-provider.ts'
import type { BeforeRedrive } from '../../functions/lib/shop/shop.ts'
import { memoryQueue } from '../contract/fakes/queue.ts'
import { outage } from './outage.ts'

/** The order queue with its dead letters. */
export function memoryOrderQueue() {
  const light = memoryQueue()
  const { messages } = light
  /** Order ids that the queue never accepts. */
  const refused = new Set<string>()
  const dead: OrderMessage[] = []
  /** Order ids whose dead letters are not redriven automatically. */
  const hopeless = new Set<string>()
  return {
    ...light,
    refused,
    dead,
    hopeless,
    depth: async () => {
      light.pass()
      return { visible: messages.length, inFlight: 0, delayed: 0 }
    },
    deadLetters: async () => {
      light.pass()
      return dead.length
    },
    units: async () => {
      light.pass()
      return new Map(
        dead.map(({ orderId, shopperId, quantity, variant, packet }) => {
          return [orderId, { shopperId, quantity, ...(variant && { variant }), ...(packet && { packet }) }]
        }),
      )
    },
    retry: async (_deadline: number, before: BeforeRedrive) => {
      light.pass()
      if (dead.length > 0) await before(new Set(dead.map(({ saleId }) => saleId)))
      const hopeful = dead.filter(({ orderId }) => !hopeless.has(orderId))
      messages.push(...hopeful)
      dead.splice(0, dead.length, ...dead.filter((message) => !hopeful.includes(message)))
      return { moved: hopeful.length, missed: 0 }
    },
    sendAll: async (sent: readonly OrderMessage[]) =>
      sent.map((message) => {
        try {
          light.pass()
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

/** A payment provider that records what it is asked for. */
export function memoryProvider() {
  const light = outage('the payment provider')
  const { settled, withdrawn, calls } = settledMoney(light.pass)
  const asked: (PaymentMoney & { orderId: string })[] = []
  const started: PaymentRequest[] = []
  return {
    ...light,
    asked,
    started,
    settled,
    withdrawn,
    ...calls,
    start: async (request: PaymentRequest) => {
      light.pass()
      started.push(request)
      return { url: `https://pay.example/${request.paymentId}` }
    },
    refund: async (refund: PaymentMoney & { orderId: string }) => {
      light.pass()
      asked.push(refund)
    },
  }
}
