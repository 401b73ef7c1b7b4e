/**
 * Programs that lose or invent units of a stock that is split, or call it sold out too early, which the
 * simulation must detect.
 */
import type { Escrow as DividedEscrow, ShardEscrow } from '../../../core/stock/escrow.ts'
import { editedScript, isForItem, type Mutation, onTableCommand } from '../../../proof/simulation/mutation.ts'
import { nameOfCommand } from '../../../proof/simulation/parts/redis.ts'
import { placeOf } from '../../../redis/databases.ts'

/** The escrow of a sale without variants, as stored in the table. */
type Escrow = Omit<DividedEscrow, 'pool' | 'shards'> & {
  pool: number
  shards: readonly (Omit<ShardEscrow, 'granted'> & { granted: number })[]
}

/** The violation when a shopper was refused too early. */
const soldOutTooEarly = /read "sold out" while \w+ units were left \(S15\)$/

/** The first argument of a script with one key: behind the script, the number of keys and the key. */
const firstArgument = 4

export const splitMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'applies a repeated transfer again (S15)': {
    scripts: editedScript('add-stock', "if tonumber(ARGV[2]) <= tonumber(stored[4] or '0')", 'if false'),
  },
  'carries out a transfer before it is saved (S15)': {
    ...withEscrow((_before, after) => (isStart(after) ? undefined : after)),
  },
  'takes a refused recall for an applied one (S15)': {
    scripts: editedScript(
      'add-stock',
      "ARGV[2], 'refused', ARGV[2])\n  return {3, shownTotal, shownBooked, stockRevision}",
      'ARGV[2])\n  return {2, total, booked, stockRevision}',
    ),
  },
  'returns recalled units and leaves them with their shard (S15)': {
    scripts: editedScript('add-stock', 'total = total + delta', 'total = total + math.max(0, delta)'),
  },
  'loses the units that were collected (S15)': {
    ...withEscrow((before, after) => ({ ...after, pool: Math.min(before.pool, after.pool) })),
  },
  'moves no units to a shard that is empty (S15)': {
    scripts: editedScript('shard-demand', "redis.call('HSET', KEYS[1], 'demand',", "tostring('demand',"),
  },
  'answers "sold out" for one empty shard (S15)': {
    scripts: editedScript('shard-demand', 'return {1}', 'return {2, 0}'),
    found: soldOutTooEarly,
  },
  'answers "sold out" by what was found long ago (S15)': {
    scripts: editedScript('shard-demand', 'if shortage.at >= tonumber(ARGV[2]) then', 'if shortage.left then'),
    found: soldOutTooEarly,
  },
  'recovers a shard without a freeze (S15)': {
    scripts: editedScript(
      'freeze',
      "redis.call('HSET', KEYS[1], 'frozen', ARGV[1], 'moves', '0')\nif stored[1] then return {1} end",
      "if stored[1] then return {1} end\nredis.call('HSET', KEYS[1], 'frozen', ARGV[1], 'moves', '0')",
    ),
  },
  'recovers a shard without its orders (S15)': {
    scripts: editedScript('restore', 'if #lines == 0 then', 'if true then'),
  },
  'returns all units of a lost shard to the pool (S15)': {
    ...withEscrow((before, after) => ({ ...after, pool: after.pool + unitsReissued(before, after) })),
  },
  'never ends the recovery of a shard (S15)': {
    ...withEscrow((before, after) => (isRecovering(before) && !isRecovering(after) ? before : after)),
  },
  'opens and closes the first shard only (I6)': {
    outside: onFirstShard('warm', (args) => (args[0] === '' ? [2, Number(args[1]), 0, 0] : undefined)),
  },
  'sends the outbox of the first shard only (O5)': { outside: onFirstShard('hscan:outbox', () => ['0', []]) },
  'returns units to the first shard only (O9)': { outside: onFirstShard('release', () => [1, 0, 0]) },
}

/** Defects of split stocks with variants. */
export const dividedMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'calls a variant sold out that one shard has not (S15, N1)': {
    scripts: editedScript('shard-demand', 'return {1}', 'return {2, 0, 0}'),
    found: /read that \w+ is sold out while \d+ of it were left/,
  },
}

/** Saves what `change` makes of the escrow; saves the escrow as it was for undefined. */
function withEscrow(change: (before: Escrow, after: Escrow) => Escrow | undefined): Pick<Mutation, 'edit' | 'outside'> {
  let known: Escrow | undefined
  return {
    outside: onTableCommand('get ESCROW', async (send) => {
      const answer = (await send()) as { Item?: Escrow }
      known = answer.Item
      return answer
    }),
    edit(_, request) {
      const { Item, ConditionExpression } = request
      if (Item === undefined || known === undefined || !isForItem(request, 'SALE#', 'ESCROW')) return request
      if (ConditionExpression === 'attribute_not_exists(pk)') return request
      const next = Item as unknown as Escrow
      const { pk, sk } = Item
      const changed = change(known, next)
      const saved = changed === undefined ? known : { ...changed, revision: next.revision }
      return { ...request, Item: { ...saved, pk, sk } as unknown as NonNullable<typeof Item> }
    },
  }
}

const isStart = ({ revision, shards }: Escrow) => shards.some(({ transfer }) => transfer?.number === revision)
const isRecovering = ({ shards }: Escrow) => shards.some(({ recovery }) => recovery !== undefined)

/** The units of the shards that this step reissues. */
function unitsReissued(before: Escrow, after: Escrow): number {
  const reissued = after.shards.filter(
    ({ recovery }, at) => recovery === 'reissued' && before.shards[at]?.recovery === 'started',
  )
  return reissued.reduce((sum, { granted }) => sum + granted, 0)
}

/** All other shards get no command `name` for which `reply` knows an answer to its arguments. */
function onFirstShard(name: string, reply: (args: readonly string[]) => unknown): Mutation['outside'] {
  return (outside) => ({
    ...outside,
    stock: {
      ...outside.stock,
      exec(command) {
        const isOther = nameOfCommand(command).split(':text')[0] === name && (placeOf(command)?.shard ?? 0) > 0
        const answer = isOther ? reply(command.slice(firstArgument)) : undefined
        return answer === undefined ? outside.stock.exec(command) : Promise.resolve(answer)
      },
    },
  })
}
