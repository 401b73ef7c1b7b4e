/**
 * Amounts as Stripe counts them (https://docs.stripe.com/currencies). Most currencies have the minor
 * unit of ISO 4217 there. MGA has no minor unit. ISK and UGX have two decimals for compatibility,
 * which must be 0. The last digit of a currency with three decimals must be 0.
 */
import { type Money, minorDigits } from '../../../core/money.ts'

const digitsOfStripe: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 }

/** The power of ten that turns minor units of `currency` into those of Stripe. */
function shiftOf(currency: string): number {
  return (digitsOfStripe[currency] ?? minorDigits(currency)) - minorDigits(currency)
}

/** Stripe charges multiples of this, in minor units of `currency`. */
export function stripeStep(currency: string): number {
  return minorDigits(currency) === 3 ? 10 : 10 ** Math.max(0, -shiftOf(currency))
}

/**
 * The money as Stripe's API takes it.
 * @throws RangeError when Stripe cannot charge exactly that
 */
export function toStripe({ amount, currency }: Money): { amount: number; currency: string } {
  const converted = amount * 10 ** shiftOf(currency)
  const isExact = Number.isSafeInteger(converted) && amount % stripeStep(currency) === 0
  if (!isExact) throw new RangeError(`Stripe cannot charge ${amount} minor units of ${currency}`)
  return { amount: converted, currency: currency.toLowerCase() }
}

/** The money that Stripe reports. An amount that is no whole number of minor units is a fraction. */
export function fromStripe(amount: number, currency: string): Money {
  const code = currency.toUpperCase()
  return { amount: amount / 10 ** shiftOf(code), currency: code }
}
