/** The typed face of flip.lua: the marketer's start flag in the stock (G2, G3, C6). */
import type { SaleId } from '../core/ids.ts'
import { luaCodes } from '../core/outcome.ts'
import type { Sale } from '../core/sale.ts'
import type { Commander } from './command.ts'
import source from './flip.lua'
import { stockKeys } from './keys.ts'
import { integer, kindOf } from './reply.ts'
import { defineScript } from './script.ts'
import { type Opening, packTerms, packTries } from './terms.ts'

export const flipScript = defineScript('flip', source)
export const flipCodes = {
  applied: 1,
  repeat: 2,
  superseded: 3,
  'unknown-sale': luaCodes['unknown-sale'],
} as const

/** `version` is the one in force afterwards; `superseded` means a newer one was and nothing changed. */
export type Flipped =
  | { kind: 'applied' | 'repeat' | 'superseded'; version: number }
  | { kind: 'unknown-sale' }

/** What can change while a sale runs: its opening, and how often one shopper may try. */
export type Flip = Opening & Pick<Sale, 'throttle'>

/**
 * Sets the flag, the opening it belongs to, the times and the tries, if `version` is newer than the stored one.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function flip(redis: Commander, saleId: SaleId, change: Flip): Promise<Flipped> {
  const { version, flag, epoch, startToken, startsAt, endsAt, throttle } = change
  const opening = [version, flag, epoch, startToken ?? '', startsAt, endsAt].map(String)
  const args = [...opening, packTerms(change), packTries(throttle.perShopper)]
  const [code, present] = await flipScript.run(redis, [stockKeys(saleId).stock], args)
  const kind = kindOf(flipCodes, code, 'flip')
  return kind === 'unknown-sale' ? { kind } : { kind, version: integer(present, 'version') }
}
