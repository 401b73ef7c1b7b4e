/**
 * A sale by invitation sells only to shoppers on its list, which an option fills. The gate looks up each shopper in the list,
 * and CloudFront Functions reject clicks without the cookie of an invitation (core/gate/pass.ts).
 */
import type { ShopperId } from '../ids.ts'

/** Returns the entry of the list, such as `ann m` for `variant` m; without a variant the shopper may buy any. */
export function listMember(shopperId: ShopperId, variant: string | undefined): string {
  return variant === undefined ? shopperId : `${shopperId} ${variant}`
}
