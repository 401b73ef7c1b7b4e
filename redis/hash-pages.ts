/** A hash of any size, page by page: one reply may not exceed the size that the service allows. */
import { type Commander, command } from './command.ts'
import { list, pairs, text } from './reply.ts'

/**
 * Every field and value that is there from the beginning of the walk to its end, about `count` in a page; one may be
 * seen twice. `what` names the hash in errors.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function* hashPages(
  redis: Commander,
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
