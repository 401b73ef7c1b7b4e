/** Programs that credit packets or money twice, or lose the owner of a packet, which the simulation must detect. */
import { seedBytes } from '../../../functions/table/packets/packet-seeds.ts'
import {
  editedScript,
  isForItem,
  type Mutation,
  onTableCommand,
  withoutCondition,
} from '../../../proof/simulation/mutation.ts'
import { acknowledgeFirst } from './order-mutations.ts'

export const packetMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'hands out a second packet for a repeated claim (P3)': {
    scripts: editedScript('reserve', 'if known then', 'if known then record.orders[order] = nil end\nif false then'),
  },
  'hands out packets while a sale is closed (I6)': {
    scripts: editedScript('reserve', "if flag == 'paused' then return answer(12) end", ''),
  },
  'credits a packet that has an owner (P3)': { edit: withoutCondition((request) => isForItem(request, 'PACKETS#')) },
  'credits a repeated claim again (P8)': {
    edit: withoutCondition((request) => ['PACKETS#', 'WALLET#', 'ORDERS#'].some((pk) => isForItem(request, pk))),
  },
  'loads a repeated batch of packets again (I5)': {
    scripts: editedScript(
      'load-packets',
      'if to <= loaded then return {2, loaded} end\nif from ~= loaded then return {3, loaded} end',
      '',
    ),
  },
  'acknowledges claims before they are sent (O4)': { outside: acknowledgeFirst },
  'recovers packets without a freeze (P10)': {
    scripts: new Map([
      ...editedScript('freeze', "redis.call('HSET', KEYS[1], 'frozen', ARGV[1], 'moves', '0')", ''),
      ...editedScript('load-packets', "if (frozen ~= false) ~= (ARGV[5] ~= '') then return {4, loaded} end", ''),
    ]),
  },
  'recovers packets without their owners (P10)': {
    scripts: editedScript('restore', "redis.call('HSET', KEYS[1], unpack(fields))", ''),
  },
  'loses the count of packets that may have been handed out (I2)': {
    scripts: editedScript(
      'replenish',
      "redis.call('HSET', KEYS[1], 'asOf', ARGV[1]",
      "if not isCounted then booked, out, stored[6] = 0, 0, '0' end\nredis.call('HSET', KEYS[1], 'asOf', ARGV[1]",
    ),
  },
  'releases a held packet whose claim has arrived (P3)': {
    scripts: editedScript('restore', "redis.call('HDEL', KEYS[4]", "redis.call('HEXISTS', KEYS[4]"),
  },
  'releases a held packet and still counts it as held (P3)': {
    scripts: editedScript('release-held-packets', "redis.call('HDEL', KEYS[3], field)", ''),
  },
  'releases held packets while earlier claims may still arrive (I2)': {
    scripts: editedScript('unfreeze', "set('heldSince', ARGV[8])", "set('heldSince', '1')"),
  },
  'returns a packet that has another order (P3)': {
    scripts: editedScript('release', 'if held.packet and not isTaken[at] then', 'if held.packet then'),
  },
  'splits the amount differently each time (P1)': {
    outside: (outside) => {
      let asked = 0
      const another = async () => {
        asked += 1
        return { Item: { seed: new Uint8Array(seedBytes).fill(asked) } }
      }
      return onTableCommand('get SEED', another)(outside)
    },
  },
  'returns the unclaimed amount repeatedly': {
    edit: withoutCondition(({ ConditionExpression }) => ConditionExpression?.startsWith('claimed = :seen') === true),
  },
}
