/**
 * The operations of a running sale: buying units and claiming a red packet. They are apart from those of orders (shop.ts)
 * so that the functions behind a click load no other schemas. Times are epoch ms, amounts in minor units.
 */
import * as z from 'zod/mini'
import { maxClickBytes } from '../body-limits.ts'
import { buyRequest, claimRequest, variant } from '../buy/requests.ts'
import { parseOrderId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import type { ProblemCode } from '../outcome.ts'
import type { FullOperation } from './operation.ts'
import { saleParams } from './operation-parts.ts'
import { changeProblems } from './problem-sets.ts'

export const orderId = readBy(parseOrderId, 'must be an order id')
export const money = { amount: z.number(), currency: z.string() }

/**
 * `status` is `cancelled` for a repeat whose units were returned in the meantime. `variant` is set in a sale with
 * variants. `remaining` is -1 for an unlimited stock.
 */
const purchase = z.object({
  orderId,
  status: z.enum(['reserved', 'cancelled']),
  quantity: z.number(),
  variant: z.optional(variant),
  remaining: z.number(),
})

/** A new claim has `remaining`, unless the stock is split. A repeated one has `repeat`. */
const claimedPacket = z.object({
  packetId: z.string(),
  ...money,
  remaining: z.optional(z.number()),
  repeat: z.optional(z.literal(true)),
})

const clickProblems = [
  ...changeProblems,
  ...[
    'not-found',
    'conflict',
    'unknown-sale',
    'not-started',
    'paused',
    'ended',
    'not-your-turn',
    'stale-page',
    'sold-out',
    'limit-reached',
  ],
  ...['at-capacity', 'level-too-low', 'challenge-required', 'challenge-failed'],
] as const satisfies readonly ProblemCode[]

export const purchaseApi = {
  /** 202 for a new reservation, 200 for a repeat. */
  buy: {
    method: 'POST',
    path: '/api/sales/:saleId/orders',
    params: saleParams,
    body: { maxBytes: maxClickBytes, schema: buyRequest },
    status: 202,
    answer: purchase,
    problems: clickProblems,
  },
  claim: {
    method: 'POST',
    path: '/api/sales/:saleId/packets',
    params: saleParams,
    body: { maxBytes: maxClickBytes, schema: claimRequest },
    answer: claimedPacket,
    problems: clickProblems,
  },
} as const satisfies Record<string, FullOperation>

export type ClaimedPacket = z.infer<typeof claimedPacket>
