/** The shopper's turn in the spread of a sale, as the page (own-turn.ts) and pre-gate.js work it out. */
import { createHmac } from 'node:crypto'
import { spreadMs } from '../core/spread.ts'

/** Milliseconds after the start; 0 without a spread. */
export function turnMs(startToken: string, shopperHash: string, spreadSeconds: number): number {
  if (spreadSeconds === 0) return 0
  return spreadMs(createHmac('sha256', startToken).update(shopperHash).digest('hex'), spreadSeconds)
}
