/** The last answers to visitors of a sale that is over; at rest each of them must be true. */

import type { IdempotencyKey, OrderId, SaleId, ShopperId } from '../../core/ids.ts'

/** Each change is made by one visitor alone, and repeated until it is answered. */
export type VisitRecord = {
  /** Issuers of the shop's own customers, and whether each is there. */
  issuers: Map<string, boolean>
  /** Further sales, and whether each is there or was deleted. */
  sales: Map<SaleId, boolean>
  /** The name of the shop by the revision of its brand. */
  brands: Map<number, string>
  /** The shoppers whom a marketer has blocked. */
  blocked: Map<string, boolean>
  /** The person an order is sent to; undefined once the shopper has erased the address. */
  recipients: Map<OrderId, string | undefined>
  /** The e-mail address of a shopper; undefined once it is erased. */
  emails: Map<ShopperId, string | undefined>
  /** Redemptions of coupons, by `redemptionName`. */
  redemptions: Map<string, AnsweredRedemption>
}

export type AnsweredRedemption = {
  orderId: OrderId
  code: string
  till: string
  key: IdempotencyKey
  redeemedAt: number
  isUndone: boolean
}

export function openVisitRecord(): VisitRecord {
  return {
    issuers: new Map(),
    sales: new Map(),
    brands: new Map(),
    blocked: new Map(),
    recipients: new Map(),
    emails: new Map(),
    redemptions: new Map(),
  }
}

export function redemptionName({ till, key, code }: Pick<AnsweredRedemption, 'till' | 'key' | 'code'>): string {
  return `${till} ${key} ${code}`
}
