/** Runs payment-queue.lua, which limits payment pages to the provider's rate. */
import type { Commander } from '../command.ts'
import { paymentQueueKey } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './payment-queue.lua'

const paymentQueueScript = defineScript('payment-queue', source)
const paymentQueueCodes = { taken: 1 } as const

/**
 * Queues a payment page, of `perSecond` for all environments together. Resolves with the time at which it may be opened, which
 * is `now` if nobody waits (both epoch ms). After a lost reply the place in the queue may stay unused.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function queuePaymentPage(gate: Commander, now: number, perSecond: number): Promise<number> {
  const [code, opensAt] = await paymentQueueScript.run(gate, [paymentQueueKey], [String(now), String(perSecond)])
  kindOf(paymentQueueCodes, code, 'payment-queue')
  return integer(opensAt, 'opensAt')
}
