/** Parses the whole numbers among the options of a command. */
import { InvalidArgumentError } from 'commander'

/** Returns a parser of whole numbers from `min` to `max`. */
export const wholeNumberParser =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
    throw new InvalidArgumentError(`a whole number ${range} is needed`)
  }
