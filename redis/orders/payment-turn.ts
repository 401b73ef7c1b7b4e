/** Runs payment-turn.lua, which limits payment pages to the provider's rate. */
import type { Commander } from '../command.ts'
import { paymentTurnsKey } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './payment-turn.lua'

const paymentTurnScript = defineScript('payment-turn', source)
const paymentTurnCodes = { taken: 1 } as const

/**
 * Takes the next turn to open a payment page, of `perSecond` for all environments together. Resolves with its time, which is
 * `now` if nobody waits (both epoch ms). After a lost reply a turn may stay unused.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function takePaymentTurn(gate: Commander, now: number, perSecond: number): Promise<number> {
  const [code, turn] = await paymentTurnScript.run(gate, [paymentTurnsKey], [String(now), String(perSecond)])
  kindOf(paymentTurnCodes, code, 'payment-turn')
  return integer(turn, 'turn')
}
