/** Long polls: the shop holds each request until the data changes, and answers like the plain read. */
import * as z from 'zod/mini'
import { parseOrderId, parseSaleId } from '../ids.ts'
import { parsedBy, readBy } from '../lib/parse.ts'
import type { FullOperation } from './operation.ts'
import { shopApi } from './shop.ts'
import { walletApi } from './wallet.ts'

const readSteps = (text: string): number | undefined => (/^[0-9]{1,3}$/.test(text) ? Number(text) : undefined)

export const heldReadsApi = {
  /** Answers when the history has more than `after` steps, or after a timeout. */
  awaitOrder: {
    method: 'GET',
    path: '/api/changes',
    query: z.strictObject({
      order: readBy(parseOrderId, 'must be an order id'),
      after: parsedBy(readSteps, 'must be a whole number from 0 to 999'),
    }),
    answer: shopApi.getOrder.answer,
    problems: shopApi.getOrder.problems,
  },
  /** Answers when the shopper's claim in `sale` is credited, or after a timeout. */
  awaitCredit: {
    method: 'GET',
    path: '/api/credit',
    query: z.strictObject({ sale: readBy(parseSaleId, 'must be a sale id') }),
    answer: walletApi.getWallet.answer,
    problems: walletApi.findPacket.problems,
  },
} as const satisfies Record<string, FullOperation>
