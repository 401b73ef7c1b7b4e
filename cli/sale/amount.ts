/** Money at the command line. */
import { isCurrency, minorDigits } from '../../core/money.ts'

/**
 * Reads an amount in major units, such as `0.10` or `25`, as minor units of `currency`.
 * @throws RangeError for other text, and for more decimals than the currency has: nothing is
 * rounded
 */
export function readAmount(text: string, currency: string | undefined): number {
  if (currency === undefined) throw new RangeError('an amount needs a currency: add --currency, such as CNY')
  if (!isCurrency(currency)) throw new RangeError(`"${currency}" is not an ISO 4217 code such as CNY or EUR`)
  const [, units, decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text) ?? []
  if (units === undefined) throw new RangeError(`"${text}" is not an amount: use digits, such as 0.10`)
  const digits = minorDigits(currency)
  if (decimals.length > digits) {
    throw new RangeError(`"${text}" has more decimals than ${currency}, which has ${digits}`)
  }
  return Number(units + decimals.padEnd(digits, '0'))
}
