/**
 * Is the body of a size an honest client sends? CloudFront itself would hand over up to 1 MB. Judged by the bytes
 * that came, whatever `content-length` says, and before any of them is decoded.
 */
import {
  maxClickBytes,
  maxControlBodyBytes,
  maxOrderRequestBytes,
  maxWebhookBytes,
} from '../../core/body-limits.ts'
import { bodyByteLength, type EdgeResponse } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { Route } from '../routes.ts'
import type { MemoryCheck } from '../visit.ts'

type Limit = { bytes: number; tooLarge: EdgeResponse }

const atMost = (bytes: number): Limit => ({
  bytes,
  tooLarge: prebuiltProblem('too-large', bytes === 0 ? 'Send no body.' : `Send at most ${bytes} bytes.`),
})

const limits: Readonly<Record<Route['kind'], Limit>> = {
  buy: atMost(maxClickBytes),
  claim: atMost(maxClickBytes),
  challenge: atMost(maxOrderRequestBytes),
  orders: atMost(0),
  'order-change': atMost(maxOrderRequestBytes),
  webhook: atMost(maxWebhookBytes),
  control: atMost(maxControlBodyBytes),
}

export const checkSize: MemoryCheck = ({ request: { body }, route }) => {
  const { bytes, tooLarge } = limits[route.kind]
  return body !== undefined && (body.inputTruncated || bodyByteLength(body) > bytes) ? tooLarge : undefined
}
