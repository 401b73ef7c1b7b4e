/** Runs the rounds of one lane, times each, and compares every answer with a plain count. */
import type { RedisLink } from '../../../local/upstash/link.ts'
import type { RespReply } from '../../../local/upstash/resp.ts'
import { send } from '../scripts/lane-time.ts'
import type { DeductionLane, DeductionLaneName } from './lanes.ts'

/**
 * `burst` requests leave together, each as a call of its own; each of `connections`
 * has `inFlight` such bursts in flight.
 */
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

/** What was left after a request, or the answer to one that took nothing. */
type Taken = { left: number } | { nothing: string }

/** Prepares the requests of a round; the result sends them and resolves once all are answered. */
type Prepare = (quantities: readonly number[]) => () => Promise<() => Taken[]>

/** A lane with `stock` units over `links`, which connect by themselves when needed. */
export async function openRunner(
  links: readonly RedisLink[],
  way: Way,
  lane: DeductionLane,
  stock: number,
): Promise<Runner> {
  const [first] = links
  if (first === undefined) throw new Error('a lane needs a connection')
  const prepare = await scriptCalls(first, links, way, lane)
  const rounds: RoundTimes[] = []
  let left = stock
  const look = async () => {
    const [found] = await send(first, [lane.look])
    return lane.left(Array.isArray(found) ? found : [])
  }
  await send(first, lane.refill(stock))
  return {
    name: lane.name,
    rounds,
    async play(quantities) {
      const run = prepare(quantities)
      const before = await processorMs(first)
      const startedAt = performance.now()
      const answers = await run()
      const wallMs = performance.now() - startedAt
      rounds.push({ wallMs, redisMs: (await processorMs(first)) - before })
      left = leftAfter(lane.name, left, quantities, answers())
      const found = await look()
      if (found !== left) throw new Error(`${lane.name} stored ${found} units instead of ${left}`)
      await send(first, lane.refill(left))
    },
    async restart() {
      await send(first, lane.refill(stock))
      left = stock
      rounds.length = 0
    },
    left: look,
  }
}

/** Calls of a script, made before they are sent. */
async function scriptCalls(
  first: RedisLink,
  links: readonly RedisLink[],
  way: Way,
  lane: DeductionLane,
): Promise<Prepare> {
  const [sha] = await send(first, [['SCRIPT', 'LOAD', lane.source]])
  return (quantities) => {
    const commands = quantities.map((quantity, shopper) => {
      const { keys, args } = lane.call(shopper, quantity)
      return ['EVALSHA', String(sha), String(keys.length), ...keys, ...args]
    })
    const bursts = groupsOf(commands, way.burst)
    return async () => {
      const replies = await sendAll(links, way.inFlight, bursts, (link, burst) => link.send(burst))
      return () => replies.flat().map((reply) => takenIn(lane, reply))
    }
  }
}

function takenIn(lane: DeductionLane, reply: RespReply): Taken {
  const left = lane.leftAfter(reply)
  return left === undefined ? { nothing: JSON.stringify(reply) } : { left }
}

function groupsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** The answers to each group, in the order of the groups; each of `senders` has `inFlight` at once. */
async function sendAll<Sender, Group, Answer>(
  senders: readonly Sender[],
  inFlight: number,
  groups: readonly Group[],
  sendGroup: (sender: Sender, group: Group) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = groups.entries()
  const work = async (sender: Sender) => {
    for (const [at, group] of waiting) answers[at] = await sendGroup(sender, group)
  }
  await Promise.all(senders.flatMap((sender) => Array.from({ length: inFlight }, () => work(sender))))
  return answers
}

/**
 * What a plain count leaves of `left`. With several connections only Redis knows the order of its
 * calls: it is the one in which the remainder falls.
 * @throws when the count and an answer differ
 */
function leftAfter(
  name: DeductionLaneName,
  left: number,
  quantities: readonly number[],
  answers: readonly Taken[],
): number {
  const wins: { quantity: number; remaining: number }[] = []
  for (const [at, quantity] of quantities.entries()) {
    const answer = answers[at] ?? { nothing: 'no answer' }
    if ('left' in answer !== quantity > 0) {
      throw new Error(`${name} answered ${JSON.stringify(answer)} to ${quantity} units`)
    }
    if ('left' in answer) wins.push({ quantity, remaining: answer.left })
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
