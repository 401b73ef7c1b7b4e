/** Money is an integer count of minor units (cents, fen, or whole yen) and an ISO 4217 code. */
export type Money = { amount: number; currency: string }

/**
 * Returns the price of `quantity` units.
 * @throws RangeError when it is not a safe integer
 */
export function priceOf(quantity: number, unitPrice: number): number {
  const amount = quantity * unitPrice
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${quantity} × ${unitPrice} is not an exact amount`)
  return amount
}

/**
 * Currencies whose minor unit does not have two digits (ISO 4217, list one). `Intl` cannot be used: it returns the digits
 * that people write, such as 0 for HUF, COP or IDR, and browsers and servers differ.
 */
const codesByDigits = [
  [0, ' BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF '],
  [3, ' BHD IQD JOD KWD LYD OMR TND '],
  [4, ' CLF UYW '],
] as const

/** Returns how many decimal digits the currency's minor unit has in ISO 4217: 2 for CNY, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  const code = ` ${currency} `
  return codesByDigits.find(([, codes]) => codes.includes(code))?.[0] ?? 2
}

/** Formats the amount for a locale, with every digit of the minor unit: `¥0.10`, `CN¥0.10`, `HUF 1,990.00`. */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  const digits = minorDigits(currency)
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const text = new Intl.NumberFormat(locale, { style: 'currency', currency, ...format }).format(amount / 10 ** digits)
  // In right-to-left text, the sign of `US$` would precede its letters.
  return text.replace(/\u200f.*[A-Z]\W$/, '$&\u200e')
}

/** Adds a sign to money of `formatMoney`, next to its number also in right-to-left text. */
export function withSign(sign: '+' | '−', money: string): string {
  return money.startsWith('\u200f') ? money.replace(/\p{Nd}[\p{Nd}.,٫٬]*/u, `\u2066${sign}$&\u2069`) : sign + money
}

/** Formats sums of money by currency for a locale. Amounts of different currencies are never added up. */
export function formatSums(sums: Readonly<Record<string, number>>, locale: string): string {
  const texts = Object.entries(sums).map(([currency, amount]) => formatMoney({ amount, currency }, locale))
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(texts)
}

/** Returns an amount in major units with every digit: `0.10` for 10 fen. */
export function majorText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const padded = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** Returns the minor units in a decimal text such as `0.10` or `12,5`; NaN if it is not an amount of `currency`. */
export function minorAmount(text: string, currency: string): number {
  const digits = minorDigits(currency)
  const match = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim())
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > digits) return Number.NaN
  return Number(`${match[1]}${fraction.padEnd(digits, '0')}`)
}

/** True when `value` has the form of an ISO 4217 code. */
export function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value)
}

/** True for a currency code that this runtime knows, so that money can be shown in it. */
export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code)
}
