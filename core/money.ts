/** Money is an integer count of minor units (cents, fen, or whole yen) and an ISO 4217 code. */
export type Money = { amount: number; currency: string }

/**
 * The price of `quantity` units.
 * @throws RangeError when it is not a safe integer
 */
export function priceOf(quantity: number, unitPrice: number): number {
  const amount = quantity * unitPrice
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${quantity} × ${unitPrice} is not an exact amount`)
  return amount
}

/**
 * Currencies whose minor unit has not two digits (ISO 4217, list one). `Intl` cannot be used: it returns the digits
 * people write, which is 0 for HUF, COP or IDR, and differs between a browser and a server.
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

/** Returns the amount in the reader's own form, with every digit of the minor unit: `¥0.10`, `CN¥0.10`, `HUF 1,990.00`. */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  const digits = minorDigits(currency)
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const text = new Intl.NumberFormat(locale, { style: 'currency', currency, ...format }).format(amount / 10 ** digits)
  // From right to left, the sign of `US$` would stand before its letters.
  return text.replace(/\u200f.*[A-Z]\W$/, '$&\u200e')
}

/** Money of `formatMoney` with a sign beside its number, also where that is read from right to left. */
export function withSign(sign: '+' | '−', money: string): string {
  return money.startsWith('\u200f') ? money.replace(/\p{Nd}[\p{Nd}.,٫٬]*/u, `\u2066${sign}$&\u2069`) : sign + money
}

/** Sums of money by currency, each in the reader's own form: amounts of different currencies are never added up. */
export function formatSums(sums: Readonly<Record<string, number>>, locale: string): string {
  const texts = Object.entries(sums).map(([currency, amount]) => formatMoney({ amount, currency }, locale))
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(texts)
}

/** Returns an amount in major units with every digit: `10` fen as `0.10`. */
export function majorText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const padded = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** Exact minor units of a decimal text such as `0.10` or `12,5`; NaN when it is not an amount of `currency`. */
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
