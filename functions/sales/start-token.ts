/** The random value of one opening of a sale: nobody can know it before the sale shows it (C6). */
import { randomBytes } from 'node:crypto'

const startTokenBytes = 32

export function newStartToken(): string {
  return randomBytes(startTokenBytes).toString('base64url')
}
