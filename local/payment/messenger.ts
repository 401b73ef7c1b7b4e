/**
 * Sends the results of payments to the shop, until the shop answers 2xx. Each
 * try is signed anew, because the shop accepts a signature for a few minutes only; its id and body
 * stay.
 */
import { EventEmitter, once, setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderId } from '../../core/ids.ts'
import type { Message } from '../../functions/table/orders/simulated-payments.ts'
import type { Dialect } from './dialect.ts'

/** `hold` keeps messages back while it is true; `copies` of each are sent, after `delayMs`. */
export type Delivery = { hold: boolean; copies: number; delayMs: number }

export type Messenger = {
  /** Starts to deliver a message about the order, for as long as it takes. */
  send(orderId: OrderId, message: Message): void
  behave(delivery: Partial<Delivery>): void
  /** Resolves when all deliveries have ended; `signal` must have been aborted. */
  ended(): Promise<void>
}

/** `clock` gives epoch ms. Aborting `signal` cancels undelivered messages. */
export type MessengerOptions = {
  webhookUrl: string
  sign: Dialect['sign']
  clock: () => number
  signal: AbortSignal
  /** Called for a message that the shop has acknowledged. */
  arrived: (orderId: OrderId, messageId: string) => Promise<void>
}

const patienceMs = 10_000
const firstPauseMs = 250
const longestPauseMs = 8000

export function createMessenger({ webhookUrl, sign, clock, signal, arrived }: MessengerOptions): Messenger {
  const changes = new EventEmitter()
  const underWay = new Set<Promise<void>>()
  let delivery: Delivery = { hold: false, copies: 1, delayMs: 0 }
  // One listener per waiting message, and a rush has thousands.
  setMaxListeners(0, changes, signal)

  async function deliver(orderId: OrderId, message: Message): Promise<void> {
    if (delivery.delayMs > 0) await sleep(delivery.delayMs, undefined, { signal, ref: false })
    while (delivery.hold) await once(changes, 'change', { signal })
    for (let tries = 0; !(await arrives(message)); tries += 1) {
      const pauseMs = Math.min(firstPauseMs * 2 ** tries, longestPauseMs)
      await sleep(pauseMs, undefined, { signal, ref: false })
    }
    await arrived(orderId, message.id)
  }

  async function arrives(message: Message): Promise<boolean> {
    const { body } = message
    const headers = { 'content-type': 'application/json', ...sign(message, new Date(clock())) }
    try {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const response = await fetch(webhookUrl, { method: 'POST', headers, body, signal: patience })
      await response.body?.cancel()
      return response.ok
    } catch {
      // The next try finds out whether the failure lasts.
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
