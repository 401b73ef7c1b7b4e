/**
 * A sale that sells to invited shoppers alone: those on its list, which an option fills. The gate asks the list for
 * each shopper, and CloudFront's functions refuse clicks without the cookie of the list (core/gate/pass.ts).
 */
import type { ShopperId } from '../ids.ts'

/** Returns the member of a sale's list who may buy only `variant`, such as `ann m`, or all that the sale has without one. No shopper id has a space. */
export function listMember(shopperId: ShopperId, variant: string | undefined): string {
  return variant === undefined ? shopperId : `${shopperId} ${variant}`
}
