/** Loads the script that decides a sale's requests before the first of them arrives (S3). */
import type { SaleKind } from '../core/sale/settings.ts'
import { reserveScript } from './buy/reserve.ts'
import type { CommandSender } from './command.ts'
import { claimScript } from './packets/claim.ts'

/**
 * Without it the first request of every function instance would be answered NOSCRIPT and cost a
 * second round trip with the whole text. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function loadScriptsOf(redis: CommandSender, { kind }: { kind: SaleKind }): Promise<void> {
  const script = kind === 'red-packet' ? claimScript : reserveScript
  await script.load(redis)
}
