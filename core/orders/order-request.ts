/**
 * A shopper's actions on an order: `POST /api/orders/{orderId}/pay` and `/cancel`. The path says
 * everything, so the body is an empty object.
 */
import * as z from 'zod/mini'

export const orderRequest = z.strictObject({}, 'must be an empty JSON object')
