/** The local event source of a stream, with a stream in memory. */
import type { DynamoDBRecord } from 'aws-lambda'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { startStreamSource, type TableStream } from '../../../local/lambda/stream-source.ts'
import { mailFilters } from '../../../system/mail.ts'

const event = z.object({ Records: z.array(z.object({ dynamodb: z.object({ SequenceNumber: z.string() }) })) })

const recordOf = (number: number, pk: string, sk = 'x', eventName = 'INSERT'): DynamoDBRecord => ({
  eventName: eventName === 'REMOVE' ? 'REMOVE' : eventName === 'MODIFY' ? 'MODIFY' : 'INSERT',
  dynamodb: { SequenceNumber: String(number), Keys: { pk: { S: pk }, sk: { S: sk } } },
})

const orders = (...numbers: number[]) => numbers.map((number) => recordOf(number, 'ORDERS#sale#a'))

let running: { stop(): Promise<void> } | undefined
afterEach(() => running?.stop())

type Answer = (numbers: string[], call: number) => { itemIdentifier: string }[] | Error

/** Runs the mapping over `records`; `until` resolves once the function was called so often. */
function start(records: DynamoDBRecord[], answer: Answer = () => [], maxAgeMs = 60_000) {
  const calls: string[][] = []
  const reports: unknown[] = []
  const waiters: { count: number; resolve: () => void }[] = []
  const stream: TableStream = {
    oldestPlace: async () => '0',
    async read(place, limit) {
      const next = Math.min(records.length, Number(place) + limit)
      return { records: records.slice(Number(place), next), next: String(next) }
    },
    close: async () => {},
  }
  const handler = async (input: unknown) => {
    const numbers = event.parse(input).Records.map(({ dynamodb }) => dynamodb.SequenceNumber)
    calls.push(numbers)
    const result = answer(numbers, calls.length)
    for (const { count, resolve } of waiters) if (calls.length >= count) resolve()
    if (result instanceof Error) throw result
    return { batchItemFailures: result }
  }
  const fn = { name: 'mail', handler, timeoutMs: 1000, invocations: 0 }
  const options = { filters: mailFilters, batchSize: 4, maxAgeMs, pauseMs: 1 }
  running = startStreamSource(fn, stream, options, (failure) => reports.push(failure))
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      if (calls.length >= count) resolve()
      else waiters.push({ count, resolve })
    })
  return { calls, reports, until }
}

describe('an event source of a stream', () => {
  it('passes on the records of its filters, in batches and in their order', async () => {
    const { calls, until } = start([
      ...orders(1, 2),
      recordOf(3, 'SALE#sale'),
      recordOf(4, 'ORDERS#sale#a', 'x', 'REMOVE'),
      recordOf(5, 'REMINDER#ann', 'sale'),
      recordOf(6, 'PACKETS#sale#0', '16'),
      recordOf(7, 'REMINDER#ann', 'sale', 'MODIFY'),
      recordOf(8, 'ORDERS#sale#a', 'x', 'MODIFY'),
      recordOf(9, 'MAIL#order', '2'),
      ...orders(10),
    ])
    await until(2)
    expect(calls).toEqual([['1', '2', '7', '8'], ['10']])
  })

  it('tries a failed record and those behind it again', async () => {
    const { calls, until } = start(orders(1, 2, 3, 4), (_, call) => (call === 1 ? [{ itemIdentifier: '3' }] : []))
    await until(3)
    expect(calls).toEqual([['1', '2', '3', '4'], ['3'], ['4']])
  })

  it('halves a batch whose invocation fails, until the failing record is alone', async () => {
    const { calls, reports, until } = start(orders(1, 2, 3, 4), (numbers, call) =>
      numbers.includes('1') && call < 4 ? new Error('a bad record') : [],
    )
    await until(5)
    expect(calls.slice(0, 4)).toEqual([['1', '2', '3', '4'], ['1', '2'], ['1'], ['1']])
    expect(calls[4]).toEqual(['2', '3', '4'])
    expect(reports).toHaveLength(3)
  })

  it('gives up a record that is too old, so that the others pass', async () => {
    const bad: Answer = (numbers) => (numbers.includes('1') ? new Error('a bad record') : [])
    const { calls, until } = start(orders(1, 2), bad, 0)
    await until(2)
    expect(calls).toEqual([['1', '2'], ['2']])
  })
})
