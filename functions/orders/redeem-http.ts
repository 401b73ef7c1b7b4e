/**
 * `POST /api/control/coupons/{code}/redeem` and `/undo`, for tills and web shops. A shop key says who asks,
 * and no session. An unknown code and one of another shop's customer cost the same reads.
 */
import * as z from 'zod/mini'
import { redeemApi } from '../../core/api/redeem.ts'
import { maxRedeemBytes } from '../../core/body-limits.ts'
import { parseIdempotencyKey } from '../../core/ids.ts'
import { formatCoupon, parseCoupon } from '../../core/orders/coupon.ts'
import { maxReference, maxReferenceBytes, type RedemptionFault } from '../../core/orders/redemption.ts'
import { shopAddressHeader, shopKeyHeader } from '../../core/orders/shop-key.ts'
import { problem } from '../../core/outcome.ts'
import { type RefusalReason, type RefusalValues, refusalText } from '../../core/refusals.ts'
import { answerOf, type HttpAnswer, invalid, problemAnswer } from '../lib/http/answer.ts'
import { readBody } from '../lib/http/body.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter, type PathParts } from '../lib/http/routes.ts'
import type { MissThrottle } from '../lib/miss-throttle.ts'
import { type Redeeming, type RedeemPorts, redeemCoupon, type ShopRequest, undoRedemption } from './redeem.ts'
import { type ShopKeyDigests, shopOf } from './shop-keys.ts'

/** `misses` counts unknown codes by shop key and address. */
export type RedeemHttpPorts = RedeemPorts & { shopKeys: ShopKeyDigests; misses: MissThrottle }

/** Unknown codes of one key at one address in a minute. A person types a few of them wrong. */
export const missRule = { limit: 20, windowMs: 60_000 }

const redeemBody = z.strictObject(
  {
    reference: z.optional(
      z.string('must be a string').check(
        z.regex(
          new RegExp(`^[^\\p{Cc}]{1,${maxReference}}$`, 'u'),
          `must be 1 to ${maxReference} characters`,
        ),
        z.refine(
          (reference) => Buffer.byteLength(reference) <= maxReferenceBytes,
          `must be at most ${maxReferenceBytes} bytes of UTF-8`,
        ),
      ),
    ),
  },
  'must be an object',
)
const undoBody = z.strictObject({}, 'must be an empty object')

type Context = { ports: RedeemHttpPorts; request: HttpRequest; shop: string }

/** Reads the body and does the work; the answer of a faulty body. */
type Work = (context: Context, asked: ShopRequest) => Promise<Redeeming | HttpAnswer>

const route = createRouter<Context>([
  {
    ...redeemApi.redeem,
    run: (context, parts) =>
      answer(context, parts, async ({ ports, request }, asked) => {
        const body = readBody(redeemBody, withBody(request), maxRedeemBytes)
        return body.ok ? redeemCoupon(ports, { ...asked, reference: body.value.reference }) : body.answer
      }),
  },
  {
    ...redeemApi.undoRedemption,
    run: (context, parts) =>
      answer(context, parts, async ({ ports, request }, asked) => {
        const body = readBody(undoBody, withBody(request), maxRedeemBytes)
        return body.ok ? undoRedemption(ports, asked) : body.answer
      }),
  },
])

/**
 * Answers one request of a shop.
 * @throws what the ports throw
 */
export async function answerRedeem(ports: RedeemHttpPorts, request: HttpRequest): Promise<HttpAnswer> {
  const key = request.headers[shopKeyHeader]
  const shop = key === undefined ? undefined : shopOf(ports.shopKeys, key)
  if (shop === undefined) {
    return problemAnswer(problem('sign-in-required', 'Send a key of your shop as bearer token.'))
  }
  return route(request, { ports, request, shop })
}

/** A body is optional. */
function withBody(request: HttpRequest): HttpRequest {
  if (request.body !== '') return request
  return { ...request, body: '{}', headers: { ...request.headers, 'content-type': 'application/json' } }
}

async function answer(context: Context, { code: text = '' }: PathParts, work: Work): Promise<HttpAnswer> {
  const { ports, request, shop } = context
  const code = parseCoupon(decodeURIComponent(text))
  if (code === undefined) return invalid('code', 'code is not a coupon code: it has 20 letters and digits')
  const key = parseIdempotencyKey(request.headers['idempotency-key'])
  if (key === undefined) {
    const detail = 'Send an Idempotency-Key of 1 to 64 letters, digits or _ . : -'
    return invalid('Idempotency-Key', detail)
  }
  const client = `${shop} ${request.headers[shopAddressHeader] ?? ''}`
  const retryAfterSeconds = ports.misses.waitSeconds(client)
  if (retryAfterSeconds > 0) {
    const detail = `Too many unknown codes. Try again in ${retryAfterSeconds} s.`
    return problemAnswer(problem('too-many-requests', detail, { retryAfterSeconds }))
  }
  const outcome = await work(context, { code, shop, key })
  if ('statusCode' in outcome) return outcome
  if (outcome.kind === 'unknown') {
    ports.misses.add(client)
    return problemAnswer(problem('not-found', 'No coupon has this code.'))
  }
  if (outcome.kind === 'refused') return answerOfFault(outcome.fault, shop)
  const { code: _, shop: _own, key: _known, at, reference, undoneAt } = outcome.redemption
  return answerOf(redeemApi.redeem, {
    code: formatCoupon(code),
    orderId: outcome.orderId,
    redeemedAt: at,
    ...(reference !== undefined && { reference }),
    ...(undoneAt !== undefined && { undoneAt }),
  })
}

function answerOfFault(fault: RedemptionFault, shop: string): HttpAnswer {
  const refused = { reason: reasons[fault.kind], values: valuesOf(fault, shop) }
  return problemAnswer(problem('conflict', refusalText(refused), refused))
}

const reasons: Readonly<Record<RedemptionFault['kind'], RefusalReason>> = {
  void: 'coupon-void',
  'not-yet': 'coupon-not-yet',
  expired: 'coupon-expired',
  redeemed: 'coupon-used',
  undone: 'coupon-undone',
  'not-redeemed': 'coupon-not-redeemed',
  'too-late': 'coupon-undo-late',
  'too-often': 'coupon-undo-often',
}

/** Times are ISO 8601. Only the shop that redeemed a coupon learns by which receipt. */
function valuesOf(fault: RedemptionFault, shop: string): RefusalValues {
  if ('at' in fault) return { at: new Date(fault.at).toISOString() }
  if (fault.kind !== 'redeemed') return {}
  const { redemption } = fault
  const isOwn = redemption.shop === shop && redemption.reference !== undefined
  return {
    at: new Date(redemption.at).toISOString(),
    ...(isOwn && { reference: redemption.reference }),
  }
}
