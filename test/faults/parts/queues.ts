/** The queues of orders and of unpaid timers as functions reach them: every call is a step of its own. */
import { type OrderMessage, orderMessage } from '../../../core/order-message.ts'
import { readJson } from '../../../core/parse.ts'
import type { PaymentDeadline } from '../../../core/payment-deadline.ts'
import type { Redrive } from '../../../functions/control/redrive.ts'
import type { DeadLetters } from '../../../functions/order-life/dead-letters.ts'
import type { Deadlines } from '../../../functions/order-life/deadlines.ts'
import type { DeadMail, DeadOrders, Depths } from '../../../functions/upkeep/ports.ts'
import type { Simulation } from '../engine/simulation.ts'
import { stepper } from '../engine/step.ts'
import type { SimulatedQueue } from './queue.ts'

export type Queues = { orders: SimulatedQueue; deadlines: SimulatedQueue }

export type QueuePorts = {
  send: (message: OrderMessage) => Promise<void>
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
  deadlines: Deadlines
  asideOrders: DeadLetters
  asideTimers: DeadLetters
  deadOrders: DeadOrders
  deadTimers: DeadMail
  depths: Depths
  allDeadLetters: () => Promise<number>
  redrive: Redrive
}

/** The longest SQS delays a message. */
const maxDelayMs = 900_000

/** Of the messages of one request, so many are refused by themselves while anything goes wrong. */
const partlyRate = 0.03

export function steppedQueues(simulation: Simulation, { orders, deadlines }: Queues): QueuePorts {
  const { dice, diary, weather } = simulation
  const { call } = stepper(simulation, 'sqs')

  const isTaken = () => {
    const taken = weather.rate === 0 || !dice.chance(partlyRate)
    if (!taken) diary.strikes('sqs send all', 'partly refused')
    return taken
  }

  const putAside = (queue: SimulatedQueue) => ({
    put: call(`put aside from ${queue.name}`, async (body: string, reason: string) => {
      queue.putAside(body, reason)
    }),
  })

  const deadMail = (queue: SimulatedQueue): DeadMail => ({
    retry: call(`retry ${queue.name}`, async () => ({ moved: queue.retry(), missed: 0 })),
  })

  return {
    send: call('send', async (message: OrderMessage) => orders.put(JSON.stringify(message))),
    sendAll: call(
      'send all',
      async (messages: readonly OrderMessage[]): Promise<readonly (Error | undefined)[]> =>
        messages.map((message) => {
          if (!isTaken()) return new Error('SQS refused the message')
          orders.put(JSON.stringify(message))
          return undefined
        }),
      { unanswered: (why, [messages]) => messages.map(() => new Error(why)) },
    ),
    deadlines: {
      schedule: call('schedule', async (timers: readonly PaymentDeadline[], now: number) => {
        for (const timer of timers) {
          const delayMs = Math.min(Math.max(Math.ceil((timer.at - now) / 1000) * 1000, 0), maxDelayMs)
          deadlines.put(JSON.stringify(timer), delayMs)
        }
      }),
    },
    asideOrders: putAside(orders),
    asideTimers: putAside(deadlines),
    deadOrders: {
      ...deadMail(orders),
      orderIds: call('look through dead orders', async () => {
        const read = orders.dead.map(({ body }) => readJson(orderMessage, body))
        return new Set(read.flatMap((message) => (message.ok ? [message.value.orderId] : [])))
      }),
    },
    deadTimers: deadMail(deadlines),
    depths: {
      orders: call('depth', async () => orders.depth()),
      deadLetters: call('dead letters', async () => orders.dead.length),
    },
    allDeadLetters: call('all dead letters', async () => orders.dead.length + deadlines.dead.length),
    redrive: {
      redrive: call('redrive', async () => {
        const moved = orders.dead.length + deadlines.dead.length
        orders.redrive()
        deadlines.redrive()
        return { moved, left: 0 }
      }),
    },
  }
}
