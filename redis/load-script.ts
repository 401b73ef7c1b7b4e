/** Loads the script that decides a sale's requests before the first of them arrives (S3). */
import type { SaleKind } from '../core/settings.ts'
import { claimScript } from './claim.ts'
import type { Commander } from './command.ts'
import { reserveScript } from './reserve.ts'

/**
 * Without it the first request of every function instance would be answered NOSCRIPT and cost a
 * second round trip with the whole text. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export function loadScriptOf(redis: Commander, { kind }: { kind: SaleKind }): Promise<void> {
  return (kind === 'red-packet' ? claimScript : reserveScript).load(redis)
}
