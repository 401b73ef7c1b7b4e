/** Tags of a stock's facts: reserve.lua says what they are for. */
import { randomBytes } from 'node:crypto'

/** A tag that no stock has had before: 72 random bits. */
export function newTag(): string {
  return randomBytes(9).toString('base64url')
}
