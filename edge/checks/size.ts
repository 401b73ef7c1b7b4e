/**
 * Is the body of a size an honest client sends? CloudFront itself would hand over up to 1 MB. Judged by the bytes
 * that came, whatever `content-length` says, and before any of them is decoded.
 */
import { maxBuyBodyBytes } from '../../core/buy-request.ts'
import { maxControlBodyBytes } from '../../core/sale.ts'
import { bodyByteLength } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { MemoryCheck } from '../visit.ts'

const limits = { time: 0, buy: maxBuyBodyBytes, orders: 0, control: maxControlBodyBytes }

const tooLarge = {
  time: prebuiltProblem('too-large', 'Send no body.'),
  buy: prebuiltProblem('too-large', `Send at most ${maxBuyBodyBytes} bytes.`),
  orders: prebuiltProblem('too-large', 'Send no body.'),
  control: prebuiltProblem('too-large', `Send at most ${maxControlBodyBytes} bytes.`),
}

export const checkSize: MemoryCheck = ({ request: { body }, route: { kind } }) =>
  body !== undefined && (body.inputTruncated || bodyByteLength(body) > limits[kind])
    ? tooLarge[kind]
    : undefined
