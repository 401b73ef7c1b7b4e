/**
 * Is the body of a size an honest client sends? CloudFront itself would hand over up to 1 MB. Judged by the bytes
 * that came, whatever `content-length` says, and before any of them is decoded.
 */
import { maxBuyBodyBytes } from '../../core/buy-request.ts'
import { maxOrderRequestBytes } from '../../core/order-request.ts'
import { maxWebhookBytes } from '../../core/payment-event.ts'
import { maxControlBodyBytes } from '../../core/sale.ts'
import { bodyByteLength, type EdgeResponse } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { Route } from '../routes.ts'
import type { MemoryCheck } from '../visit.ts'

const limits: Readonly<Record<Route['kind'], number>> = {
  time: 0,
  buy: maxBuyBodyBytes,
  orders: 0,
  'order-change': maxOrderRequestBytes,
  webhook: maxWebhookBytes,
  control: maxControlBodyBytes,
}

const atMost = (bytes: number) =>
  prebuiltProblem('too-large', bytes === 0 ? 'Send no body.' : `Send at most ${bytes} bytes.`)

const tooLarge: Readonly<Record<Route['kind'], EdgeResponse>> = {
  time: atMost(limits.time),
  buy: atMost(limits.buy),
  orders: atMost(limits.orders),
  'order-change': atMost(limits['order-change']),
  webhook: atMost(limits.webhook),
  control: atMost(limits.control),
}

export const checkSize: MemoryCheck = ({ request: { body }, route: { kind } }) =>
  body !== undefined && (body.inputTruncated || bodyByteLength(body) > limits[kind])
    ? tooLarge[kind]
    : undefined
