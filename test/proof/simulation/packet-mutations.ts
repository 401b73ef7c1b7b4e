/** Programs that credit packets or money twice, or lose the owner of a packet, which the simulation must detect. */

import type { SaleId } from '../../../core/ids.ts'
import { seedBytes } from '../../../functions/table/packets/packet-seeds.ts'
import { textOf } from '../../../proof/simulation/dynamodb/wire.ts'
import { edited, isOf, type Mutation, onTable, withoutCondition } from '../../../proof/simulation/mutation.ts'
import { acknowledgeClaims, type ClaimName } from '../../../redis/packets/stored-claims.ts'
import { creditsAt } from '../../world/wire.ts'

export const packetMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'hands out a second packet for a repeated claim (P3)': {
    scripts: edited('claim', 'if mine then return {2, mine} end', ''),
  },
  'hands out packets while a sale is closed (I6)': {
    scripts: edited('claim', "if sale.flag == 'paused' then return {12} end", ''),
  },
  'credits a packet that has an owner (P3)': { edit: withoutCondition((request) => isOf(request, 'PACKETS#')) },
  'credits a repeated claim again (P8)': {
    edit: withoutCondition((request) => isOf(request, 'PACKETS#') || isOf(request, 'WALLET#', 'CLAIM#')),
  },
  'loads a repeated batch of packets again (I5)': {
    scripts: edited(
      'load-packets',
      'if to <= loaded then return {2, loaded} end\nif from ~= loaded then return {3, loaded} end',
      '',
    ),
  },
  'acknowledges claims before they are sent (O4)': {
    outside: ({ queues, ...outside }) => ({
      ...outside,
      queues: {
        ...queues,
        async sendClaim(message) {
          await acknowledgeClaims(outside.stock, message.saleId, [message])
          await queues.sendClaim(message)
        },
      },
    }),
  },
  'acknowledges claims before they are credited (O5)': {
    outside: (outside) =>
      onTable(creditsAt, async (send, command) => {
        for (const { saleId, ...claim } of creditedBy(textOf(command)))
          await acknowledgeClaims(outside.stock, saleId, [claim])
        return send()
      })(outside),
  },
  'recovers packets without a freeze (P10)': {
    scripts: new Map([
      ...edited('freeze', "redis.call('HSET', KEYS[1], 'frozen', ARGV[1], 'moves', '0')", ''),
      ...edited('clear-packets', 'if not stock[2] then return {3} end', ''),
      ...edited('load-packets', "if isFrozen ~= (ARGV[4] == '1') then return {4, loaded} end", ''),
    ]),
  },
  'recovers packets without their owners (P10)': {
    scripts: edited('restore-claims', "redis.call('HSET', KEYS[2], shopper, '0 ' .. claim .. ' -')", ''),
  },
  'loses the count of packets that may have been handed out (I2)': {
    scripts: edited(
      'replenish',
      "redis.call('HSET', KEYS[1], 'asOf', ARGV[1]",
      "if not isCounted then booked, out, stored[6] = 0, 0, '0' end\nredis.call('HSET', KEYS[1], 'asOf', ARGV[1]",
    ),
  },
  'releases a held packet whose claim has arrived (P3)': {
    scripts: edited('restore-claims', "if isHeld then redis.call('SETBIT', KEYS[3], number, 0) end", ''),
  },
  'releases a held packet and still counts it as held (P3)': {
    scripts: edited('unhold-packets', "redis.call('SETBIT', KEYS[4], number, 0)", ''),
  },
  'releases held packets while earlier claims may still arrive (I2)': {
    scripts: edited('unfreeze', "set('heldSince', ARGV[8])", "set('heldSince', '1')"),
  },
  'splits the amount differently each time (P1)': {
    outside: (outside) => {
      let asked = 0
      const another = async () => {
        asked += 1
        return { Item: { seed: new Uint8Array(seedBytes).fill(asked) } }
      }
      return onTable('get SEED', another)(outside)
    },
  },
  'returns the unclaimed amount repeatedly': {
    edit: withoutCondition(({ ConditionExpression }) => ConditionExpression?.startsWith('claimed = :seen') === true),
  },
}

/** The claims that a transaction credits. */
function creditedBy(transaction: string): (ClaimName & { saleId: SaleId })[] {
  const { TransactItems } = JSON.parse(transaction)
  return TransactItems.flatMap(({ Put }: { Put?: { Item: Record<string, { S: string }> } }) => {
    const [, saleId] = /^PACKETS#(.*)#/.exec(Put?.Item.pk?.S ?? '') ?? []
    return saleId === undefined ? [] : [{ saleId, shopperId: Put?.Item.shopperId?.S, packet: Number(Put?.Item.sk?.S) }]
  })
}
