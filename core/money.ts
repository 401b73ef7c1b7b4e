/** Money is an integer count of minor units (cents, fen, or whole yen) and an ISO 4217 code. */
export type Money = { amount: number; currency: string }

/** The price of `quantity` units. Throws RangeError when the exact integer cannot be held. */
export function priceOf(quantity: number, unitPrice: number): number {
  const amount = quantity * unitPrice
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${quantity} × ${unitPrice} is not an exact amount`)
  return amount
}

/** How many decimal digits the currency's minor unit has: 2 for CNY, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  )
}

/** The amount in the reader's own form, for example `¥0.10` or `CN¥0.10`. */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  const major = amount / 10 ** minorDigits(currency)
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(major)
}

/** True for a currency code that this runtime knows, so that money can be shown in it. */
export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code)
}
