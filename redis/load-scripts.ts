/** Loads the scripts that decide a sale's requests before the first of them arrives (S3). */
import type { SaleKind } from '../core/sale/settings.ts'
import { reserveScript } from './buy/reserve.ts'
import { reserveManyScript } from './buy/reserve-many.ts'
import type { CommandSender } from './command.ts'
import { claimScript } from './packets/claim.ts'

/**
 * Without them the first request of every function instance would be answered NOSCRIPT and cost a
 * second round trip with the whole text. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function loadScriptsOf(redis: CommandSender, { kind }: { kind: SaleKind }): Promise<void> {
  const scripts = kind === 'red-packet' ? [claimScript] : [reserveScript, reserveManyScript]
  await Promise.all(scripts.map((script) => script.load(redis)))
}
