/** The queues of orders and payment deadlines as the functions call them: every call is a step. */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { type OrderMessage, orderMessage } from '../../../core/orders/order-message.ts'
import type { Redrive } from '../../../functions/control/repair-actions.ts'
import type { DeadLetters } from '../../../functions/lib/queue-consumer.ts'
import type { DeadLetterRetry, DeadOrders, OrderQueue, QueueDepth, Wake } from '../../../functions/lib/shop/shop.ts'
import type { Deadlines, PaymentDeadline } from '../../../functions/orders/deadlines.ts'
import { deadUnitsByOrder } from '../../../functions/recovery/stock/held-back.ts'
import type { Simulation } from '../engine/simulation.ts'
import { type Stepper, stepper } from '../engine/step.ts'
import type { SimulatedQueue } from './queue.ts'

export type Queues = Record<'orders' | 'deadlines', SimulatedQueue>

export type QueuePorts = DeadLetterPorts & {
  send: (message: OrderMessage) => Promise<void>
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
  deadlines: Deadlines
  orderDepth: OrderQueue['depth']
}

type DeadLetterPorts = {
  rejectedOrders: DeadLetters
  rejectedTimers: DeadLetters
  deadOrders: DeadOrders
  deadTimers: DeadLetterRetry
  allDeadLetters: () => Promise<number>
  redrive: Redrive
}

/** Maximum delay of SQS. */
const maxDelayMs = 900_000

/** The share of messages in a batch that are refused individually, while faults occur. */
const partlyRate = 0.03

/**
 * The share of refused claims. It is higher because claims are few, and claims left in the outbox are the interesting
 * case.
 */
const unsentRate = 0.15

/** Maximum age of a count of SQS, ms, and the share of stale counts. */
const maxLagMs = 60_000
const lagRate = 0.5

/** The share of sales that share the queue with another sale, and its maximum duration, ms. */
const busyRate = 0.5
const maxBusyMs = 3 * 3_600_000

/** Returns the current number of messages of other sales in the shared queue. */
export type OtherSales = () => number

export function drawOtherSales({ random, now }: Simulation): OtherSales {
  const until = random.chance(busyRate) ? now() + random.spread(10_000, maxBusyMs) : 0
  return () => (now() < until ? random.whole(1, 60) : 0)
}

export function steppedQueues(simulation: Simulation, queues: Queues, others: OtherSales): QueuePorts {
  const { random, trace, profile } = simulation
  const { call } = stepper(simulation, 'sqs')
  const { orders, deadlines } = queues

  const isTaken = (operation: string, rate: number) => {
    const taken = profile.rate === 0 || !random.chance(rate)
    if (!taken) trace.countFault(`sqs ${operation}`, 'partly refused')
    return taken
  }

  /** Returns the depth as SQS reports it: approximate, and up to a minute old. */
  const laggedDepth = (queue: SimulatedQueue) => {
    const lagMs = random.chance(lagRate) ? random.spread(1, maxLagMs) : 0
    return queue.depth(simulation.now() - lagMs)
  }

  const withOthers = ({ visible, ...rest }: QueueDepth): QueueDepth => ({ visible: visible + others(), ...rest })

  return {
    send: call('send', async (message: OrderMessage) => {
      if (message.packet && !isTaken('send', unsentRate)) throw new Error('SQS refused the message')
      orders.put(JSON.stringify(message))
    }),
    sendAll: call(
      'send all',
      async (messages: readonly OrderMessage[]): Promise<readonly (Error | undefined)[]> =>
        messages.map((message) => {
          if (!isTaken('send all', partlyRate)) return new Error('SQS refused the message')
          orders.put(JSON.stringify(message))
          return undefined
        }),
      { onNoAnswer: (why, [messages]) => messages.map(() => new Error(why)) },
    ),
    deadlines: {
      schedule: call('schedule', async (timers: readonly PaymentDeadline[], now: number) => {
        for (const timer of timers) {
          const delayMs = Math.min(Math.max(Math.ceil((timer.at - now) / 1000) * 1000, 0), maxDelayMs)
          deadlines.put(JSON.stringify(timer), delayMs)
        }
      }),
    },
    orderDepth: call('depth', async () => withOthers(laggedDepth(orders))),
    ...deadLetterPorts(call, queues),
  }
}

/** Adds orders to `unsent` when the sender got an error for their message. */
export function recordingUnsent({ send, sendAll, ...ports }: QueuePorts, unsent: Set<OrderId>): QueuePorts {
  return {
    ...ports,
    async send(message) {
      await send(message).catch((error) => {
        unsent.add(message.orderId)
        throw error
      })
    },
    async sendAll(messages) {
      const errors = await sendAll(messages)
      for (const [at, { orderId }] of messages.entries()) if (errors[at] !== undefined) unsent.add(orderId)
      return errors
    },
  }
}

/** Returns a wake function that never throws, like the real adapter. */
export function steppedWake(simulation: Simulation, queue: SimulatedQueue): Wake {
  const send = stepper(simulation, 'sqs').call('wake', async (message: object) => queue.put(JSON.stringify(message)))
  return (saleId, begins) => send({ saleId, begins }).catch(() => undefined)
}

/** Returns the ports of the dead-letter queues: to put messages there, read them and resend them. */
function deadLetterPorts(call: Stepper['call'], queues: Queues): DeadLetterPorts {
  const { orders, deadlines } = queues
  const deadLetterCount = () => Object.values(queues).reduce((sum, { dead }) => sum + dead.length, 0)

  const redriveAll = call('redrive', async () => {
    const moved = deadLetterCount()
    for (const queue of Object.values(queues)) queue.redrive()
    return { moved, left: 0 }
  })

  const rejectToDlq = (queue: SimulatedQueue) => ({
    put: call(`rejected from ${queue.name}`, async (body: string, reason: string) => {
      queue.rejectToDlq(body, reason)
    }),
  })

  const retryOf = (queue: SimulatedQueue) =>
    call(`retry ${queue.name}`, async () => ({ moved: queue.retry(), missed: 0 }))

  const retryPort = (queue: SimulatedQueue): DeadLetterRetry => ({
    retry: async (_deadline, before) => {
      const going = queue.retriable()
      if (going.length > 0) await before(salesOf(going))
      return retryOf(queue)()
    },
  })

  return {
    rejectedOrders: rejectToDlq(orders),
    rejectedTimers: rejectToDlq(deadlines),
    deadOrders: {
      ...retryPort(orders),
      units: call('parse dead orders', async () => deadUnitsByOrder(orders.dead.map(({ body }) => body))),
    },
    deadTimers: retryPort(deadlines),
    allDeadLetters: call('all dead letters', async () => deadLetterCount()),
    redrive: {
      async redrive(_deadline, before) {
        await before(salesOf(Object.values(queues).flatMap(({ dead }) => dead)))
        return redriveAll()
      },
    },
  }
}

/** Returns the sales of dead letters; skips invalid messages. */
function salesOf(deadLetters: readonly { body: string }[]): ReadonlySet<SaleId> {
  const orders = deadLetters.flatMap(({ body }) => {
    const message = readJson(orderMessage, body)
    return message.ok ? [message.value] : []
  })
  return new Set(orders.map(({ saleId }) => saleId))
}
