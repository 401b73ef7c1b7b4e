import { randomBytes } from 'node:crypto'

const tokenBytes = 32

/** Text that cannot be guessed: the token of an epoch (C6), the key of a day's passes. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url')
}
