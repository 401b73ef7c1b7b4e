/** Wrong programs that hand out packets twice, or money twice, or forget whose a packet is. */
import { seedBytes } from '../../functions/sales/seeded-random.ts'
import { acknowledgeClaims } from '../../redis/claims.ts'
import { memoryTableWithConditions } from '../../simulation/memory/order-table.ts'
import { edited, type Mutation } from '../../simulation/mutation.ts'

export const packetMutations: readonly Omit<Mutation, 'kind'>[] = [
  {
    name: 'hands a second packet to whoever taps again (P3)',
    scripts: edited('claim', 'if mine then return {2, mine} end', ''),
  },
  {
    name: 'hands out packets while a rain is shut (I6)',
    scripts: edited('claim', 'string.find(packedWindow, token, 32, true) ~= 32', 'false'),
  },
  {
    name: 'credits a packet that has an owner (P3)',
    table: () => memoryTableWithConditions(new Set(['no credit'])),
  },
  {
    name: 'credits a claim as often as it comes (P8)',
    table: () => memoryTableWithConditions(new Set()),
  },
  {
    name: 'loads packets as often as they are sent (I5)',
    scripts: edited(
      'load-packets',
      'if to <= loaded then return {2, loaded} end\nif from ~= loaded then return {3, loaded} end',
      '',
    ),
  },
  {
    name: 'acknowledges claims before they are sent (O4)',
    outside: ({ queues, ...outside }) => ({
      ...outside,
      queues: {
        ...queues,
        async sendClaim(message) {
          await acknowledgeClaims(outside.stock, message.saleId, [message.shopperId])
          await queues.sendClaim(message)
        },
      },
    }),
  },
  {
    name: 'acknowledges claims before they are credited (O5)',
    outside: ({ table, ...outside }) => ({
      ...outside,
      table: {
        ...table,
        claimLedger: {
          ...table.claimLedger,
          async credit(claims, creditedAt) {
            for (const { saleId, shopperId } of claims) {
              await acknowledgeClaims(outside.stock, saleId, [shopperId])
            }
            return table.claimLedger.credit(claims, creditedAt)
          },
        },
      },
    }),
  },
  {
    name: 'rebuilds a rain without a freeze around it (P10)',
    scripts: new Map([
      ...edited('freeze', "redis.call('HSET', KEYS[1], 'packedWindow', ARGV[1])", ''),
      ...edited('clear-packets', "if string.sub(stock[2], 32, 38) ~= '!frozen' then return {3} end", ''),
      ...edited('load-packets', "if isFrozen ~= (ARGV[4] == '1') then return {4, loaded} end", ''),
    ]),
  },
  {
    name: 'rebuilds a rain without who has what (P10)',
    scripts: edited('restore-claims', "redis.call('HSET', KEYS[2], shopper, '0 ' .. claim .. ' -')", ''),
  },
  {
    name: 'forgets how many packets may have been handed out when the stock is lost (I2)',
    scripts: edited(
      'replenish',
      "redis.call('HSET', KEYS[1], 'asOf', ARGV[1]",
      "if not isCounted then booked, out, stored[6] = 0, 0, '0' end\nredis.call('HSET', KEYS[1], 'asOf', ARGV[1]",
    ),
  },
  {
    name: 'hands out a packet that was held back for a claim which has arrived (P3)',
    scripts: edited('restore-claims', "if isHeld then redis.call('SETBIT', KEYS[3], number, 0) end", ''),
  },
  {
    name: 'lets a packet go that was held back, and goes on holding it back (P3)',
    scripts: edited('unhold-packets', "redis.call('SETBIT', KEYS[4], number, 0)", ''),
  },
  {
    name: 'lets packets go while claims from before the reopening are on their way (I2)',
    scripts: edited('unfreeze', "'heldSince', ARGV[14]", "'heldSince', '000000000000001'"),
  },
  {
    name: 'splits the money anew whenever it is asked (P1)',
    outside: ({ table, ...outside }) => {
      let asked = 0
      const of = async () => {
        asked += 1
        return new Uint8Array(seedBytes).fill(asked)
      }
      return { ...outside, table: { ...table, packetSeeds: { of } } }
    },
  },
  {
    name: 'returns what is left again and again',
    table: (table) => ({ ...table, closeBooks: async () => true }),
  },
]
