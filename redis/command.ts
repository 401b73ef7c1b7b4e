/** Sends one command to Redis, and converts errors to those of errors.ts. */
import type { SaleId } from '../core/ids.ts'
import { wrapError } from './errors.ts'

export type Command = [name: string, ...args: string[]]

/** Sends one command. Rejects with RedisReplyError for an error reply, and with another error when no reply arrived. */
export type CommandSender = { exec(args: Command): Promise<unknown> }

/** Sends commands to the gate, or to one shard of stocks; `shard` is its number, absent for the only one. */
export type Commander = CommandSender & { readonly shard?: number; shardCount?: undefined }

/** Sends commands to stocks that may be split; shards.ts makes a Commander for each of the shards. */
export type SplitStocks = CommandSender & { shardCount(saleId: SaleId): Promise<number> }

/** The stocks of all sales: split ones, or each with one shard. */
export type Stocks = Commander | SplitStocks

/** Resolves with the raw reply: text, integer, null, or arrays of these. @throws RedisUnavailable, UnexpectedReply */
export async function command(redis: CommandSender, args: Command): Promise<unknown> {
  try {
    return await redis.exec(args)
  } catch (error) {
    throw wrapError(args[0], error)
  }
}
