/** Scans a hash of any size in pages, because a reply has a size limit. */
import { type CommandSender, command } from './command.ts'
import { list, pairs, text } from './reply.ts'

/** Yields all fields of the hash, about `count` per page, some twice. @throws RedisUnavailable, UnexpectedReply */
export async function* hashPages(
  redis: CommandSender,
  key: string,
  count: number,
  what: string,
): AsyncGenerator<[string, string][]> {
  let cursor = '0'
  do {
    const [next, page] = list(await command(redis, ['HSCAN', key, cursor, 'COUNT', String(count)]), what)
    yield pairs(page, what)
    cursor = text(next, 'cursor')
  } while (cursor !== '0')
}
