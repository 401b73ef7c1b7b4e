/** Runs the rounds of one lane, times each, and compares every reply with a plain count. */
import { luaCodes } from '../../core/outcome.ts'
import type { RedisLink } from '../../local/upstash/link.ts'
import { RedisError, type RespReply } from '../../local/upstash/resp.ts'
import type { DeductionLane, DeductionLaneName } from './lanes.ts'

/** `burst` calls leave in one write; each of `connections` has `inFlight` such bursts in flight. */
export type Way = { connections: number; burst: number; inFlight: number }

/**
 * `wallMs` is from the first write to the last reply, `redisMs` the server's processor time in
 * between.
 */
export type RoundTimes = { wallMs: number; redisMs: number }

export type Runner = {
  name: DeductionLaneName
  rounds: RoundTimes[]
  /**
   * One round: every quantity is requested once, each by another shopper.
   * @throws when a reply is wrong
   */
  play: (quantities: readonly number[]) => Promise<void>
  /** Resets the lane: no rounds, and the full stock. */
  restart: () => Promise<void>
  /** The units left in Redis. */
  left: () => Promise<number>
}

/** A lane with `stock` units over `links`, which connect by themselves when needed. */
export async function openRunner(
  links: readonly RedisLink[],
  way: Way,
  lane: DeductionLane,
  stock: number,
): Promise<Runner> {
  const [first] = links
  if (first === undefined) throw new Error('a lane needs a connection')
  const [sha] = await send(first, [['SCRIPT', 'LOAD', lane.source], ...lane.refill(stock)])
  const rounds: RoundTimes[] = []
  let left = stock
  return {
    name: lane.name,
    rounds,
    async play(quantities) {
      const commands = quantities.map((quantity, shopper) => {
        const { keys, args } = lane.call(shopper, quantity)
        return ['EVALSHA', String(sha), String(keys.length), ...keys, ...args]
      })
      const bursts = inBursts(commands, way.burst)
      const before = await processorMs(first)
      const startedAt = performance.now()
      const replies = await sendAll(links, way.inFlight, bursts)
      const wallMs = performance.now() - startedAt
      rounds.push({ wallMs, redisMs: (await processorMs(first)) - before })
      left = leftAfter(lane.name, left, quantities, replies.flat())
      await send(first, lane.forget)
    },
    async restart() {
      await send(first, lane.refill(stock))
      left = stock
      rounds.length = 0
    },
    async left() {
      const [found] = await send(first, [lane.look])
      return lane.left(Array.isArray(found) ? found : [])
    },
  }
}

function inBursts(commands: string[][], burst: number): string[][][] {
  return Array.from({ length: Math.ceil(commands.length / burst) }, (_, at) =>
    commands.slice(at * burst, (at + 1) * burst),
  )
}

/** The replies to each burst, in the order of the bursts. */
async function sendAll(
  links: readonly RedisLink[],
  inFlight: number,
  bursts: readonly string[][][],
): Promise<RespReply[][]> {
  const replies: RespReply[][] = []
  let next = 0
  const sender = async (link: RedisLink) => {
    for (let at = next++; at < bursts.length; at = next++) replies[at] = await link.send(bursts[at] ?? [])
  }
  await Promise.all(links.flatMap((link) => Array.from({ length: inFlight }, () => sender(link))))
  return replies
}

/**
 * What a plain count leaves of `left`. With several connections only Redis knows the order of its
 * calls: it is the one in which the remainder falls.
 * @throws when the count and a reply differ
 */
function leftAfter(
  name: DeductionLaneName,
  left: number,
  quantities: readonly number[],
  replies: RespReply[],
): number {
  const wins: { quantity: number; remaining: number }[] = []
  for (const [at, quantity] of quantities.entries()) {
    const reply = replies[at]
    const [code, remaining] = Array.isArray(reply) ? reply : []
    const expected = quantity === 0 ? luaCodes['invalid-request'] : luaCodes.reserved
    if (code !== expected) throw new Error(`${name} answered ${JSON.stringify(reply)} to ${quantity} units`)
    if (quantity > 0) wins.push({ quantity, remaining: Number(remaining) })
  }
  let counted = left
  for (const { quantity, remaining } of wins.toSorted((a, b) => b.remaining - a.remaining)) {
    counted -= quantity
    if (remaining !== counted) throw new Error(`${name} had ${remaining} units left instead of ${counted}`)
  }
  return counted
}

async function processorMs(link: RedisLink): Promise<number> {
  const [info] = await send(link, [['INFO', 'cpu']])
  const seconds = [...String(info).matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)]
  return seconds.reduce((sum, [, value]) => sum + 1000 * Number(value), 0)
}

/**
 * The replies.
 * @throws the first error reply
 */
async function send(link: RedisLink, commands: string[][]): Promise<RespReply[]> {
  if (commands.length === 0) return []
  const replies = await link.send(commands)
  const fault = replies.find((reply) => reply instanceof RedisError)
  if (fault instanceof RedisError) throw new Error(fault.message)
  return replies
}
