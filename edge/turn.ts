/** The shopper's turn in the spread of a sale, as the page (pass.ts) and pre-gate.js work it out. */
import { createHmac } from 'node:crypto'
import { spreadMs } from '../core/gate/spread.ts'
import { armedTokenOf } from '../redis/gate/armed-token.ts'
import type { GateFacts } from './memory/gate-store.ts'

/** Milliseconds after the start; 0 without a spread. */
export function turnMs(startToken: string, shopperHash: string, spreadSeconds: number): number {
  if (spreadSeconds === 0) return 0
  return spreadMs(createHmac('sha256', armedTokenOf(startToken)).update(shopperHash).digest('hex'), spreadSeconds)
}

/** How long a shopper waits for the turn, ms; 0 once the spread is over. `sinceMs` is from the spread's start. */
export function turnLeftMs(
  { startToken, rules }: Pick<GateFacts, 'startToken' | 'rules'>,
  sinceMs: number,
  shopperHash: () => string,
): number {
  const { spreadSeconds } = rules
  if (sinceMs >= spreadSeconds * 1000) return 0
  const turn = startToken === null ? 0 : turnMs(startToken, shopperHash(), spreadSeconds)
  return Math.max(0, turn - sinceMs)
}
