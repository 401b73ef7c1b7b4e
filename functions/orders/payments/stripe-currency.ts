/**
 * Converts amounts to Stripe's units (https://docs.stripe.com/currencies). Most currencies use the minor unit of ISO 4217.
 * MGA has no minor unit. ISK and UGX have two decimals for compatibility, which must be 0. The last digit of a currency
 * with three decimals must be 0.
 */
import { type Money, minorDigits } from '../../../core/money.ts'
import type { ChargeLimits } from '../../lib/shop/payment-provider.ts'

const stripeDigits: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 }

/** Returns the power of ten that converts minor units of `currency` to Stripe's units. */
function decimalShiftOf(currency: string): number {
  return (stripeDigits[currency] ?? minorDigits(currency)) - minorDigits(currency)
}

/** Returns the amount whose multiples Stripe charges, in minor units of `currency`. */
function stripeStep(currency: string): number {
  return minorDigits(currency) === 3 ? 10 : 10 ** Math.max(0, -decimalShiftOf(currency))
}

/**
 * The minimum charges, in Stripe's units (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). In
 * any other currency the account's minimum applies after conversion, which changes with the exchange rate.
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

/** The digits of the highest amount that every payment method accepts; some card networks accept more. */
const maxChargeDigits: Readonly<Record<string, number>> = { INR: 9, COP: 10, IDR: 12 }

/** Returns the amounts that Stripe accepts in one charge. */
export function stripeLimits(currency: string): ChargeLimits {
  const step = stripeStep(currency)
  const unit = 10 ** decimalShiftOf(currency)
  const min = minCharges.find(([, codes]) => codes.includes(currency))?.[0] ?? 1
  const max = 10 ** (maxChargeDigits[currency] ?? 8) - 1
  return { step, min: step * Math.ceil(min / unit / step), max: step * Math.floor(max / unit / step) }
}

/** Converts money to the form of Stripe's API. @throws RangeError when Stripe cannot charge exactly that amount */
export function toStripe({ amount, currency }: Money): { amount: number; currency: string } {
  const converted = amount * 10 ** decimalShiftOf(currency)
  const isExact = Number.isSafeInteger(converted) && amount % stripeStep(currency) === 0
  if (!isExact) throw new RangeError(`Stripe cannot charge ${amount} minor units of ${currency}`)
  return { amount: converted, currency: currency.toLowerCase() }
}

/** Converts money that Stripe reports. The amount is a fraction when it is not a whole number of minor units. */
export function fromStripe(amount: number, currency: string): Money {
  const code = currency.toUpperCase()
  return { amount: amount / 10 ** decimalShiftOf(code), currency: code }
}
