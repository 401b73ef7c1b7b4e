/** The typed face of flip.lua: the marketer's start flag in the stock (G2, G3, C6). */
import type { SaleId } from '../core/ids.ts'
import { outcomes } from '../core/outcome.ts'
import type { Commander } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import source from './flip.lua'
import { stockKeys } from './keys.ts'
import { integer } from './reply.ts'
import { defineScript } from './script.ts'
import { type Opening, packTerms } from './terms.ts'

export type { Opening }

export const flipScript = defineScript('flip', source)
export const flipCodes = {
  applied: 1,
  repeat: 2,
  superseded: 3,
  'unknown-sale': outcomes['unknown-sale'].luaCode,
} as const

/** `version` is the one in force afterwards; `superseded` means a newer one was and nothing changed. */
export type Flipped =
  | { kind: 'applied' | 'repeat' | 'superseded'; version: number }
  | { kind: 'unknown-sale' }

/**
 * Sets the flag, the opening it belongs to and the times, if `version` is newer than the stored one.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function flip(redis: Commander, saleId: SaleId, opening: Opening): Promise<Flipped> {
  const { version, flag, epoch, startToken, startsAt, endsAt } = opening
  const args = [version, flag, epoch, startToken ?? '', startsAt, endsAt, packTerms(opening)].map(String)
  const [code, present] = await flipScript.run(redis, [stockKeys(saleId).stock], args)
  switch (code) {
    case flipCodes['unknown-sale']:
      return { kind: 'unknown-sale' }
    case flipCodes.applied:
      return { kind: 'applied', version: integer(present, 'version') }
    case flipCodes.repeat:
      return { kind: 'repeat', version: integer(present, 'version') }
    case flipCodes.superseded:
      return { kind: 'superseded', version: integer(present, 'version') }
    default:
      throw new UnexpectedReply(`flip replied with the unknown code ${code}`)
  }
}
