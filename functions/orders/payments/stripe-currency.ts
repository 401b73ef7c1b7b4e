/**
 * Amounts as Stripe counts them (https://docs.stripe.com/currencies). Most currencies have the minor
 * unit of ISO 4217 there. MGA has no minor unit. ISK and UGX have two decimals for compatibility,
 * which must be 0. The last digit of a currency with three decimals must be 0.
 */
import { type Money, minorDigits } from '../../../core/money.ts'
import type { ChargeLimits } from '../../lib/shop/payment-provider.ts'

const stripeDigits: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 }

/** The power of ten that turns minor units of `currency` into those of Stripe. */
function decimalShiftOf(currency: string): number {
  return (stripeDigits[currency] ?? minorDigits(currency)) - minorDigits(currency)
}

/** Stripe charges multiples of this, in minor units of `currency`. */
function stripeStep(currency: string): number {
  return minorDigits(currency) === 3 ? 10 : 10 ** Math.max(0, -decimalShiftOf(currency))
}

/**
 * The least payments, in units of Stripe (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). In
 * another currency the least one is that of the account after conversion, which changes with the exchange rate.
 */
const minCharges = [
  [30, 'GBP'],
  [50, 'ARS AUD BRL CAD CHF COP EUR IDR ILS INR JPY KRW NZD PHP RUB SGD USD ZAR'],
  [200, 'AED MYR PLN RON'],
  [250, 'DKK'],
  [300, 'NOK SEK'],
  [400, 'HKD'],
  [1000, 'MXN THB'],
  [1500, 'CZK'],
  [17_500, 'HUF'],
] as const

/** How many digits an amount has at most in every way to pay; cards take more of some networks. */
const maxChargeDigits: Readonly<Record<string, number>> = { INR: 9, COP: 10, IDR: 12 }

/** What Stripe charges at once. */
export function stripeLimits(currency: string): ChargeLimits {
  const step = stripeStep(currency)
  const unit = 10 ** decimalShiftOf(currency)
  const min = minCharges.find(([, codes]) => codes.includes(currency))?.[0] ?? 1
  const max = 10 ** (maxChargeDigits[currency] ?? 8) - 1
  return { step, min: step * Math.ceil(min / unit / step), max: step * Math.floor(max / unit / step) }
}

/**
 * The money as Stripe's API takes it.
 * @throws RangeError when Stripe cannot charge exactly that
 */
export function toStripe({ amount, currency }: Money): { amount: number; currency: string } {
  const converted = amount * 10 ** decimalShiftOf(currency)
  const isExact = Number.isSafeInteger(converted) && amount % stripeStep(currency) === 0
  if (!isExact) throw new RangeError(`Stripe cannot charge ${amount} minor units of ${currency}`)
  return { amount: converted, currency: currency.toLowerCase() }
}

/** The money that Stripe reports. An amount that is no whole number of minor units is a fraction. */
export function fromStripe(amount: number, currency: string): Money {
  const code = currency.toUpperCase()
  return { amount: amount / 10 ** decimalShiftOf(code), currency: code }
}
