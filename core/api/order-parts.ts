/** Parts of an order in answers to shoppers and to support. */
import * as z from 'zod/mini'
import { readBy } from '../lib/parse.ts'
import { parseCarrier, parseTracking } from '../orders/shipment.ts'

/** How it was sent. */
export const shipmentView = z.object({
  carrier: readBy(parseCarrier, 'must be a name'),
  tracking: z.optional(readBy(parseTracking, 'must be a tracking number')),
})
