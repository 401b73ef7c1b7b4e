/** The random value of one epoch, unknown until the sale publishes it (C6). */
import { randomBytes } from 'node:crypto'

const startTokenBytes = 32

export function newStartToken(): string {
  return randomBytes(startTokenBytes).toString('base64url')
}
