/**
 * Redeeming the coupons of an order. An order contains its redemptions, so one conditional write of one item decides each
 * of them (`orderLines` of functions/table/orders/change-orders.ts): a code is redeemed once, and never after its order
 * was cancelled.
 *
 * The shop and the idempotency key of its request identify a redemption. Undoing uses the same key, so a late repeat of
 * either request never affects a newer redemption.
 */
import type { CouponCode } from './coupon.ts'
import { holdsUnits, type Order, type Redemption } from './order.ts'

type RedemptionName = Pick<Redemption, 'code' | 'shop' | 'key'>

/** `validFrom` and `validUntil` are the validity of the coupons of the sale, epoch ms. */
export type RedeemRequest = RedemptionName &
  Pick<Redemption, 'reference'> & { validFrom?: number | undefined; validUntil?: number | undefined }

/** `undoMs` is how long after a redemption it can be undone. */
export type UndoRequest = RedemptionName & { undoMs: number }

/** Maximum length of a reference, in characters and in bytes of UTF-8. */
export const maxReference = 64
export const maxReferenceBytes = 128

/** How many redemptions of one code can be undone. */
export const maxUndone = 10

/**
 * How many redemptions of one order can be undone. A DynamoDB item has at most 400 kB: 1,000 coupons take up to 21 kB, their
 * redemptions with keys and references of maximum length 311 kB, and each undone one 0.37 kB.
 */
export const maxUndoneOfOrder = 100

/**
 * Why a coupon cannot be redeemed, or its redemption not undone. `void`: the order was cancelled. `redeemed`: by another
 * request. `undone`: this request redeemed it, and the redemption was undone. `not-redeemed`: no redemption has the key.
 * `too-late`, `undo-limit`: it cannot be undone any more.
 */
export type RedemptionFault =
  | { kind: 'void' | 'undone' | 'not-redeemed' | 'undo-limit' }
  | { kind: 'not-yet' | 'expired' | 'too-late'; at: number }
  | { kind: 'redeemed'; redemption: Redemption }

export type RedemptionStep =
  | { kind: 'moved'; redemptions: readonly Redemption[] }
  | { kind: 'same' }
  | { kind: 'refused'; fault: RedemptionFault }

type Redeemed = Pick<Order, 'redemptions'>

/** Returns the redemption with that code, shop and key; undefined if there is none. */
export function redemptionOf({ redemptions = [] }: Redeemed, name: RedemptionName): Redemption | undefined {
  return redemptions.find(({ code, shop, key }) => code === name.code && shop === name.shop && key === name.key)
}

/** Returns the redemption of `code` that was not undone; undefined when the code can be redeemed. */
export function activeRedemption({ redemptions = [] }: Redeemed, code: CouponCode): Redemption | undefined {
  return redemptions.find((one) => one.code === code && one.undoneAt === undefined)
}

/** Returns how many coupons of the order are redeemed. */
export function redeemedCount({ redemptions = [] }: Redeemed): number {
  return redemptions.filter(({ undoneAt }) => undoneAt === undefined).length
}

/** Redeems a coupon. A repeat of the request is a no-op, even after the coupon has expired. */
export function redeemStep(order: Order, request: RedeemRequest, now: number): RedemptionStep {
  const { code, shop, key, reference, validFrom, validUntil } = request
  const own = redemptionOf(order, request)
  if (own !== undefined) return own.undoneAt === undefined ? { kind: 'same' } : refused({ kind: 'undone' })
  if (!holdsUnits(order.status)) return refused({ kind: 'void' })
  const active = activeRedemption(order, code)
  if (active !== undefined) return refused({ kind: 'redeemed', redemption: active })
  if (validFrom !== undefined && now < validFrom) return refused({ kind: 'not-yet', at: validFrom })
  if (validUntil !== undefined && now >= validUntil) return refused({ kind: 'expired', at: validUntil })
  const made: Redemption = { code, shop, key, at: now, ...(reference !== undefined && { reference }) }
  return { kind: 'moved', redemptions: [...(order.redemptions ?? []), made] }
}

/** Undoes a redemption. A repeat is a no-op, even after the time to undo is over. */
export function undoStep(order: Order, request: UndoRequest, now: number): RedemptionStep {
  const { redemptions = [] } = order
  const own = redemptionOf(order, request)
  if (own === undefined) {
    const active = activeRedemption(order, request.code)
    return refused(active ? { kind: 'redeemed', redemption: active } : { kind: 'not-redeemed' })
  }
  if (own.undoneAt !== undefined) return { kind: 'same' }
  const until = own.at + request.undoMs
  if (now >= until) return refused({ kind: 'too-late', at: until })
  const undone = redemptions.filter(({ undoneAt }) => undoneAt !== undefined)
  const ofCode = undone.filter(({ code }) => code === own.code)
  if (ofCode.length >= maxUndone || undone.length >= maxUndoneOfOrder) return refused({ kind: 'undo-limit' })
  return { kind: 'moved', redemptions: redemptions.map((one) => (one === own ? { ...one, undoneAt: now } : one)) }
}

function refused(fault: RedemptionFault): RedemptionStep {
  return { kind: 'refused', fault }
}
