/** Lines of `POST /api/control/sales/{saleId}/shipments`: how an order was sent, and whether it has arrived. */
import * as z from 'zod/mini'
import { parseOrderId } from '../ids.ts'
import { parsedBy, readBy } from '../lib/parse.ts'
import { parseOrderNumber } from '../orders/order-number.ts'
import { parseCarrier, parseLink, parseTracking } from '../orders/shipment.ts'

/** Lines of one call. With texts of maximum length they still fit into the largest body. */
export const maxShipmentLines = 100

/** The statuses that a line may set. */
export const shipmentStatuses = ['shipped', 'delivered'] as const

const orderId = z.optional(readBy(parseOrderId, 'must be an order id'))

/** True when a line names its order in one of two ways: by its id, or by the number that people see. */
const namesOneOrder = (line: { orderId?: unknown; orderNumber?: unknown }): boolean =>
  (line.orderId === undefined) !== (line.orderNumber === undefined)

const line = z.strictObject(
  {
    orderId,
    orderNumber: z.optional(parsedBy(parseOrderNumber, 'must be an order number')),
    carrier: readBy(parseCarrier, 'must be 1 to 32 letters, digits and spaces'),
    tracking: z.optional(readBy(parseTracking, 'must be 1 to 64 letters, digits, dashes and spaces')),
    link: z.optional(parsedBy(parseLink, 'must be an https address of at most 500 characters')),
    status: z.enum(shipmentStatuses, 'must be shipped or delivered'),
  },
  'must be an object',
)

export const shipmentLine = line.check(
  z.refine(namesOneOrder, { error: 'must be given, or orderNumber instead of it', path: ['orderId'] }),
)

/** Shipments to record. Repeating a line is a no-op. A dry run writes nothing. */
export const shipmentLines = z.strictObject(
  {
    lines: z
      .array(shipmentLine, 'must be a list')
      .check(
        z.minLength(1, 'must have at least one line'),
        z.maxLength(maxShipmentLines, `must have at most ${maxShipmentLines} lines`),
      ),
    dryRun: z.optional(z.boolean('must be true or false')),
  },
  'must be a JSON object with lines',
)

/** Codes of lines that changed their order, or would in a dry run. */
const changes = ['shipped', 'delivered', 'corrected'] as const

/**
 * The result of a line. `corrected`: the carrier, number or link of a shipped order changed. `repeat`: the order is in
 * this state already. `duplicate`: an earlier line names the same order. `ended`: the order is cancelled or refunded.
 * `disputed`: its payment is disputed at the bank.
 */
const lineCodes = [
  ...changes,
  'repeat',
  'duplicate',
  'other-sale',
  'not-found',
  'not-paid',
  'ended',
  'disputed',
  'already-delivered',
] as const

/** Names the order as the line did. */
export const shippedLine = z.object({
  ...{ orderId, orderNumber: z.optional(readBy(parseOrderNumber, 'must be an order number')) },
  code: z.enum(lineCodes),
})

export type ShipmentLine = z.infer<typeof shipmentLine>
export type ShippedLine = z.infer<typeof shippedLine>
export type ShipmentCode = ShippedLine['code']

const changedCodes: ReadonlySet<string> = /* @__PURE__ */ new Set(changes)

/** True for a line that changed its order, or would in a dry run. */
export function isChangedLine({ code }: { code: string }): boolean {
  return changedCodes.has(code)
}
