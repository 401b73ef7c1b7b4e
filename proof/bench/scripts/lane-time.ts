/**
 * Times scripts inside Redis, in turns. The times are Redis's own (INFO commandstats, microseconds
 * per EVALSHA), without network and client. All scripts run on one server and the median round
 * counts: other load on the machine affects them alike, and only the ratios carry over to other
 * machines.
 */
import type { RedisLink } from '../../../local/upstash/link.ts'
import { RedisError, type RespReply } from '../../../local/upstash/resp.ts'
import { inTurns, type Rounds } from '../harness.ts'
import { median } from '../statistics.ts'

export type ScriptCall = { keys: string[]; args: string[] }

/**
 * One script with the calls of one round; `before` prepares the data, `code` is the expected answer
 * of the last call.
 */
export type Lane<Name extends string> = {
  name: Name
  source: string
  before: string[][]
  calls: ScriptCall[]
  code: string
}

/** How many calls are sent at once. */
const burst = 100

/**
 * The median microseconds per call of each lane; lanes run in their order in every round.
 * @throws when a script gives a wrong answer, because its time would mean nothing
 */
export async function laneTimes<Name extends string>(
  link: RedisLink,
  lanes: readonly Lane<Name>[],
  rounds: Rounds,
): Promise<Map<Name, number>> {
  const found = await inTurns(lanes, rounds, (lane) => runLane(link, lane))
  return new Map([...found].map(([{ name }, times]) => [name, median(times)]))
}

/**
 * Microseconds per call of `lane`, run once.
 * @throws when the script gives a wrong answer, because its time would mean nothing
 */
export async function runLane(link: RedisLink, { name, source, before, calls, code }: Lane<string>): Promise<number> {
  const [sha] = await send(link, [['SCRIPT', 'LOAD', source], ...before, ['CONFIG', 'RESETSTAT']])
  let last: RespReply = null
  for (let at = 0; at < calls.length; at += burst) {
    const replies = await send(
      link,
      calls
        .slice(at, at + burst)
        .map(({ keys, args }) => ['EVALSHA', String(sha), String(keys.length), ...keys, ...args]),
    )
    last = replies.at(-1) ?? null
  }
  const answer = String(Array.isArray(last) ? last[0] : last)
  if (answer !== code) throw new Error(`${name} answered ${answer} instead of ${code}`)

  const [info] = await send(link, [['INFO', 'commandstats']])
  const [, count, microseconds] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(String(info)) ?? []
  if (Number(count) !== calls.length) throw new Error('another client uses this Redis: the counts are not valid')
  return Number(microseconds) / calls.length
}

/**
 * The replies to `commands`, sent at once.
 * @throws when one is an error
 */
export async function send(link: RedisLink, commands: string[][]): Promise<RespReply[]> {
  const replies = await link.send(commands)
  const fault = replies.find((reply) => reply instanceof RedisError)
  if (fault instanceof RedisError) throw new Error(fault.message)
  return replies
}
