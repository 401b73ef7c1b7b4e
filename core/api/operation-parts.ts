/** Parts that several operations share: path parameters, parts of orders, and bodies and problems of staff's calls. */
import * as z from 'zod/mini'
import { maxControlBodyBytes } from '../body-limits.ts'
import { parseOrderId, parseSaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { parseOrderNumber } from '../orders/order-number.ts'
import { parseCarrier, parseLink, parseTracking } from '../orders/shipment.ts'
import { staffProblems } from './problem-sets.ts'

/** Digits only, as the API answers it. */
export const orderNumber = readBy(parseOrderNumber, 'must be an order number')

export const saleParams = z.object({ saleId: readBy(parseSaleId, 'is not a sale id') })
export const orderParams = z.object({ orderId: readBy(parseOrderId, 'is not an order id') })

export const bodyOf = <S extends z.core.$ZodType>(schema: S) => ({ maxBytes: maxControlBodyBytes, schema }) as const
export const optionsOf = <S extends z.core.$ZodType>(schema: S) => ({ ...bodyOf(schema), optional: true }) as const

export const noOptions = /* @__PURE__ */ optionsOf(/* @__PURE__ */ z.strictObject({}, 'must be an object'))

/** Returns the schema of an answer with a list of entries as its member `name`. */
export const listAnswer = <Name extends string, S extends z.core.$ZodType>(name: Name, entry: S) =>
  z.object({ [name]: z.readonly(z.array(entry)) } as Record<Name, z.ZodMiniReadonly<z.ZodMiniArray<S>>>)

/** A removal never conflicts with the state of the removed thing. */
export const removal = { problems: [...staffProblems, 'not-found'] } as const
export const saleRead = { params: saleParams, problems: [...removal.problems, 'unknown-sale'] } as const

/** How an order was sent. */
export const shipmentView = z.object({
  carrier: readBy(parseCarrier, 'must be a name'),
  tracking: z.optional(readBy(parseTracking, 'must be a tracking number')),
  link: z.optional(readBy(parseLink, 'must be an https address')),
})
