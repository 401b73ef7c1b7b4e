/**
 * What a shopper may ask of an order of theirs: `POST /api/orders/{orderId}/pay` and `/cancel`. The path says it all,
 * so the body is an empty object.
 */
import * as z from 'zod/mini'

export const orderRequest = z.strictObject({}, 'must be an empty JSON object')
