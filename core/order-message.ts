/** What travels from the reservation to the order: kept in the outbox by reserve.lua, sent by SQS. */
import * as z from 'zod/mini'
import { maxQuantity } from './buy-request.ts'
import {
  type OrderId,
  parseOrderId,
  parseSaleId,
  parseShopperId,
  type SaleId,
  type ShopperId,
} from './ids.ts'
import { whole } from './parse.ts'

const id = <T extends string>(read: (text: unknown) => T | undefined) =>
  z.custom<T>((text) => read(text) !== undefined, 'is not a valid id')

/** `reservedAt` is epoch ms; `epoch` is the opening the unit was taken in. */
export const orderMessage = z.strictObject(
  {
    orderId: id<OrderId>(parseOrderId),
    saleId: id<SaleId>(parseSaleId),
    shopperId: id<ShopperId>(parseShopperId),
    quantity: whole(1, maxQuantity),
    epoch: whole(1, Number.MAX_SAFE_INTEGER),
    reservedAt: whole(0, Number.MAX_SAFE_INTEGER),
    requestId: z.string('must be text').check(z.maxLength(128, 'must be at most 128 characters')),
  },
  'must be a JSON object',
)

export type OrderMessage = z.infer<typeof orderMessage>
