/** The time series of a sale: an item per minute with its seconds, which expires, and one per hour with its minutes. */
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import { msAfterOpening } from '../../../core/report/pace.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { type SeriesSample, seriesCounts } from '../../../core/sale/series.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { capKey, type SeriesSpan, seriesKey, seriesStart } from '../keys.ts'
import { lastReservedAt } from '../orders/orders-by-time.ts'
import type { Item } from '../query.ts'
import { soldOutOf } from '../stock/cap-item.ts'

/** The duration of an item and of its cells, ms. */
const spans = { second: { itemMs: 60_000, cellMs: 1000 }, minute: { itemMs: 3_600_000, cellMs: 60_000 } } as const

/** How long the series by the second is kept, ms. */
export const secondsKeptMs = 3_600_000

/** DynamoDB deletes an item some time after it expires, so expiry is later than any read, ms. */
const expiresAfterMs = secondsKeptMs + 60_000

/** Writes samples into their cells; of two in one cell the later wins. Safe to repeat. @throws when the table is unavailable */
export async function addSamples(
  { client, name }: Table,
  saleId: SaleId,
  span: SeriesSpan,
  samples: readonly SeriesSample[],
): Promise<void> {
  const { itemMs, cellMs } = spans[span]
  const items = Map.groupBy(samples, ({ at }) => Math.floor((at * 1000) / itemMs) * itemMs)
  for (const [from, some] of items) {
    const cells = new Map(some.map((sample) => [Math.floor((sample.at * 1000 - from) / cellMs), sample]))
    const values = [...cells].map(([cell, sample]) => [`:c${cell}`, cellOf(sample)] as const)
    const expiry = span === 'second' ? { ':expiresAt': Math.ceil((from + expiresAfterMs) / 1000) } : {}
    const set = [...cells.keys()].map((cell) => `c${cell} = :c${cell}`)
    if (span === 'second') set.push('expiresAt = :expiresAt')
    await client.send(
      new UpdateCommand({
        TableName: name,
        Key: seriesKey(saleId, span, from),
        UpdateExpression: `SET ${set.join(', ')}`,
        ExpressionAttributeValues: { ...Object.fromEntries(values), ...expiry },
      }),
    )
  }
}

const cellOf = (sample: SeriesSample) => [sample.at, ...seriesCounts.map((name) => sample[name])]

/** Selects the items from `from`, or at most `limit` before `before` (epoch ms). */
type SeriesQuery = { from: number } | { before: number; limit: number }

/**
 * Returns the samples of the selected items, oldest first. `start` is where the first item begins (epoch ms); `isComplete` when
 * no earlier item exists.
 * @throws when the table is unavailable, UnexpectedItem
 */
export async function readSeries(
  { client, name }: Table,
  saleId: SaleId,
  span: SeriesSpan,
  query: SeriesQuery,
): Promise<{ samples: SeriesSample[]; start: number; isComplete: boolean }> {
  const edge = 'from' in query ? query.from - spans[span].itemMs : query.before
  const { pk, sk } = seriesKey(saleId, span, edge)
  const command = new QueryCommand({
    TableName: name,
    KeyConditionExpression: `pk = :series AND sk ${'from' in query ? '>=' : '<'} :edge`,
    ExpressionAttributeValues: { ':series': pk, ':edge': sk },
    ScanIndexForward: false,
    ...('limit' in query && { Limit: query.limit }),
  })
  // An hour of seconds and a day of minutes fit in one answer of DynamoDB.
  const { Items = [], LastEvaluatedKey } = await client.send(command)
  const samples = Items.flatMap(samplesOf).toSorted((a, b) => a.at - b.at)
  const oldest = Items.at(-1)
  return {
    samples: 'from' in query ? samples.filter(({ at }) => at * 1000 >= query.from) : samples,
    start: oldest === undefined ? 0 : seriesStart(oldest),
    isComplete: LastEvaluatedKey === undefined,
  }
}

const stored = z.array(z.nullable(z.int()))

function samplesOf(item: Item): SeriesSample[] {
  return Object.entries(item).flatMap(([name, value]) => {
    if (!/^c\d+$/.test(name)) return []
    const cell = parse(stored, value)
    const at = cell.ok ? cell.value[0] : undefined
    if (!cell.ok || typeof at !== 'number') throw new UnexpectedItem('a sample of a sale', `${name} must be a list`)
    const counts = seriesCounts.map((count, place) => [count, cell.value[place + 1] ?? null] as const)
    return [{ at, ...(Object.fromEntries(counts) as Omit<SeriesSample, 'at'>) }]
  })
}

/**
 * Records how long after its opening the present window sold out, `afterMs`, with its stock then: units that are added later
 * sell out at another time. Safe to repeat.
 * @throws when the table is unavailable, or the cap is busy
 */
export async function recordSoldOut(
  { client, name }: Table,
  { saleId, windowIndex, stock }: Pick<Sale, 'saleId' | 'windowIndex' | 'stock'>,
  afterMs: number,
): Promise<void> {
  const note = new UpdateCommand({
    TableName: name,
    Key: capKey(saleId),
    UpdateExpression: 'SET #soldOut = :soldOut',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#soldOut': soldOutOf(windowIndex) },
    ExpressionAttributeValues: { ':soldOut': { afterMs, stock } },
  })
  await client.send(note)
}

/**
 * Returns how many ms after its start the present window of a sold-out sale sold out, by the last of its orders until `until`
 * (epoch ms). Call it once the orders of all units are written.
 * @throws when the table is unavailable
 */
export async function timeToSoldOut(table: Table, sale: Sale, until: number): Promise<number | undefined> {
  const at = await lastReservedAt(table, sale, until)
  return at !== undefined && at >= sale.startsAt ? msAfterOpening(sale.startsAt, at) : undefined
}
