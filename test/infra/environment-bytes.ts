/** Estimates the size of a function's deployed environment, of which templates have references only. */
import { maxCheckoutKeys } from '../../functions/orders/reservation-token.ts'
import { maxShopKeys } from '../../functions/orders/shop-keys.ts'

/** The length of a value once it is deployed, or what is assumed for one that no template has. */
function sizeOf(variable: string, value: unknown): number {
  if (typeof value === 'string' && !value.includes('{{resolve:')) return value.length
  // A token of Upstash has some 60 characters, an ARN with an id 85, the address of a queue less.
  if (/^(?:SIGN_IN|PERSONAL).*_KEYS$/.test(variable)) return 3 * 250
  if (variable === 'SIGN_IN') return 600
  // A name of 20 characters, a digest of 43, and the marks of JSON.
  if (variable === 'SHOP_KEYS') return maxShopKeys * 69 + 2
  // Two private numbers of 43 characters, and the marks of JSON.
  if (variable === 'CHECKOUT_KEYS') return maxCheckoutKeys * 46 + 1
  return /_TOKEN$|_KEY$|_SECRET$/.test(variable) ? 120 : 85
}

/** Returns the bytes that variables take of an environment. */
export const environmentBytes = (variables: Record<string, unknown>): number =>
  Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + sizeOf(name, value), 0)
