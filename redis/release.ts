/** The typed face of release.lua: units of orders that lost them go back to the stock (S19, O9). */
import type { OrderId, SaleId } from '../core/ids.ts'
import { outcomes } from '../core/outcome.ts'
import { inOneArgument } from './batch.ts'
import type { Commander } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { stockKeys } from './keys.ts'
import source from './release.lua'
import { integer } from './reply.ts'
import { defineScript } from './script.ts'

export const releaseScript = defineScript('release', source)
export const releaseCodes = { released: 1, 'unknown-sale': outcomes['unknown-sale'].luaCode } as const

/** `orders` counts those that had units to give back; `restocks` is the revision of the stock afterwards. */
export type Released = { kind: 'released'; orders: number; restocks: number } | { kind: 'unknown-sale' }

/**
 * Gives back what `orderIds` (at most `maxOrdersPerCall`) hold and forgets their messages. For orders that the table
 * says are final: their ids can never hold units again. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function release(
  redis: Commander,
  saleId: SaleId,
  orderIds: readonly OrderId[],
): Promise<Released> {
  const { stock, buyers, holds, outbox } = stockKeys(saleId)
  const keys = [stock, buyers, holds, outbox]
  const [code, orders, restocks] = await releaseScript.run(redis, keys, [inOneArgument(orderIds, ' ')])
  switch (code) {
    case releaseCodes.released:
      return {
        kind: 'released',
        orders: integer(orders, 'orders'),
        restocks: integer(restocks, 'restocks'),
      }
    case releaseCodes['unknown-sale']:
      return { kind: 'unknown-sale' }
    default:
      throw new UnexpectedReply(`release replied with the unknown code ${code}`)
  }
}
