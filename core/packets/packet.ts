/** A red packet, the unit of one order. */
import * as z from 'zod/mini'
import type { SaleId } from '../ids.ts'
import { whole } from '../lib/parse.ts'
import { isCurrency } from '../money.ts'
import { maxPacketAmount, maxPackets } from './packets.ts'

/** `number` counts the packets of a sale from 0; `amount` is in minor units of `currency` (ISO 4217). */
export const redPacket = z.strictObject(
  {
    number: whole(0, maxPackets - 1),
    amount: whole(1, maxPacketAmount),
    currency: z.string('must be a string').check(z.refine(isCurrency, 'must be an ISO 4217 code')),
  },
  'must be a packet',
)

export type RedPacket = z.infer<typeof redPacket>

/** Returns a packet's public id: `<saleId>-p<number>`. */
export function packetIdOf(saleId: SaleId, number: number): string {
  return `${saleId}-p${number}`
}

/** The idempotency key of a shopper's one claim in a sale, so that repeats find the same order id (P3). */
export const claimKey = 'packet'
