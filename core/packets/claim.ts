/** A claimed red packet, and its message to the wallet. */
import * as z from 'zod/mini'
import { admitted } from '../gate/request-report.ts'
import { parseSaleId, parseShopperId, type SaleId, type ShopperId } from '../ids.ts'
import { readBy, readJson, whole } from '../lib/parse.ts'
import { isCurrency } from '../money.ts'
import { maxPacketAmount, maxPackets } from './packets.ts'

/**
 * `packet` is the number of the packet within its sale, from 0; `amount` is in minor units of
 * `currency`; `claimedAt` is epoch ms.
 */
export type Claim = {
  saleId: SaleId
  shopperId: ShopperId
  packet: number
  amount: number
  currency: string
  claimedAt: number
}

const number = whole(0, maxPackets - 1)

/** The message that claim.lua writes to the outbox and SQS delivers. */
export const claimMessage = z.strictObject(
  {
    saleId: readBy(parseSaleId, 'is not a valid id'),
    shopperId: readBy(parseShopperId, 'is not a valid id'),
    packet: number,
    amount: whole(1, maxPacketAmount),
    currency: z.string('must be a string').check(z.refine(isCurrency, 'must be an ISO 4217 code')),
    claimedAt: whole(0, Number.MAX_SAFE_INTEGER),
    requestId: z.string('must be a string').check(z.maxLength(128, 'must be at most 128 characters')),
    admitted: z.optional(admitted),
  },
  'must be a JSON object',
)

export type ClaimMessage = z.infer<typeof claimMessage>

/** The claims in `bodies`, messages as JSON. A body that is not a claim is left out. */
export function claimsIn(bodies: readonly string[]): readonly ClaimMessage[] {
  return bodies.flatMap((body) => {
    const message = readJson(claimMessage, body)
    return message.ok ? [message.value] : []
  })
}

/** A packet's public id: `<saleId>-p<number>`. */
export function packetIdOf(saleId: SaleId, packet: number): string {
  return `${saleId}-p${packet}`
}
