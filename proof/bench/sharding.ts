/**
 * The homework of S15: is a stock of 800 over 4 instances, 200 each, a good idea? Plays it as asked,
 * and over shards that lend to each other, with larger sales and worse skews. `docs/guide/sharding.md`
 * explains the result. Pure calculation: no Redis is involved.
 */
import { inTurns, type MeasuredLine, type Measurement } from './harness.ts'
import { mostMessages } from './sharding/bounds.ts'
import { chanceOfFalseEnd, type HomeShares, leftAtFirstEnd } from './sharding/naive.ts'
import { sellSplit } from './sharding/split-sale.ts'
import { median, seededRandom, spelled } from './statistics.ts'

/** `most` is the share of shoppers whose home is the first shard. */
type Case = { stock: number; shardCount: number; most?: number; maxPerOrder: number }

const cases: readonly Case[] = [
  { stock: 800, shardCount: 4, maxPerOrder: 1 },
  { stock: 800, shardCount: 4, maxPerOrder: 5 },
  { stock: 800, shardCount: 4, most: 1, maxPerOrder: 1 },
  { stock: 1_000, shardCount: 16, maxPerOrder: 1 },
  { stock: 10_000, shardCount: 16, most: 0.9, maxPerOrder: 1 },
  { stock: 10_000, shardCount: 16, most: 0.9, maxPerOrder: 5 },
  { stock: 100_000, shardCount: 16, maxPerOrder: 1 },
]

/** Sales of each case: enough for a median that does not change with the seed. */
const salesPerCase = 101
const seed = 20_261_121

export async function measureSharding(): Promise<Measurement> {
  const turns = { rounds: 1, warmUps: 0, step: 'sharding' }
  const lines = await inTurns(cases, turns, async (each) => shardingLine(each, salesPerCase))
  return {
    name: `sharding (${salesPerCase} sales each)`,
    heads: [
      ...['fixed parts: false "sold out"', 'left then', '%'],
      ...['lending: left', 'false "sold out"', 'messages', 'at most', 'per unit'],
    ],
    lines: [...lines.values()].flat(),
  }
}

/** With fixed parts every shopper wants one unit, which is the best case for them. */
export function shardingLine(each: Case, sales: number): MeasuredLine {
  const { stock, shardCount, most, maxPerOrder } = each
  const homes = homesOf(each)
  const random = seededRandom(seed)
  const left = median(Array.from({ length: sales }, () => leftAtFirstEnd(stock, homes, random)))
  const ours = Array.from({ length: sales }, () => sellSplit({ stock, homes, maxPerOrder, random }))
  const unsold = Math.max(...ours.map(({ sold }) => stock - sold))
  const falseEnds = ours.reduce((sum, one) => sum + one.falseEnds, 0)
  const messages = Math.max(...ours.map((one) => one.messages))
  const bound = Math.floor(mostMessages(stock, shardCount, maxPerOrder))
  const skew = most === undefined ? 'at random' : `${100 * most} % on one`
  const baskets = maxPerOrder === 1 ? '' : `, 1 to ${maxPerOrder} units`
  return {
    what: `${spelled(stock)} over ${shardCount}, ${skew}${baskets}`,
    value: [
      ...[percent(chanceOfFalseEnd(stock, homes)), spelled(left), ((100 * left) / stock).toFixed(1)],
      ...[String(unsold), String(falseEnds), spelled(messages), spelled(bound)],
      (messages / stock).toFixed(3),
    ],
    target: '0 left, 0 false, bounded',
    met: unsold === 0 && falseEnds === 0 && messages <= bound,
  }
}

function homesOf({ shardCount, most = 1 / shardCount }: Case): HomeShares {
  return Array.from({ length: shardCount }, (_, shard) => (shard === 0 ? most : (1 - most) / (shardCount - 1)))
}

/** Never rounded up to a certainty. */
const percent = (chance: number) => (chance > 0.999999 ? '> 99.9999 %' : `${(100 * chance).toFixed(4)} %`)
