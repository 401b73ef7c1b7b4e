/** A small rush through the whole system: tests the rush itself and the rules that need many shoppers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ShopperSession, sessionHeaders } from '../../cli/control-client.ts'
import type { Counters } from '../../proof/bench/system.ts'
import type { RushOptions } from '../../proof/rush/options.ts'
import type { RushResult } from '../../proof/rush/report.ts'
import { runRush } from '../../proof/rush/run-rush.ts'
import { httpFunctions } from '../../system/functions.ts'
import { calm, openRushedSystem } from './rush/rushed-system.ts'

const system = await openRushedSystem({ databases: 1 })

const rush = (change: Partial<RushOptions>) => runRush(system, { ...calm, ...change })

const sessions = new Map<string, Promise<ShopperSession>>()

/** Signs the shopper in once. */
function sessionOf(shopperId: string): Promise<ShopperSession> {
  const session = sessions.get(shopperId) ?? system.signIn(shopperId)
  sessions.set(shopperId, session)
  return session
}

/** Sends one more buy request, from a new shopper; returns the problem's code. */
async function click(saleId: string, shopperId: string): Promise<unknown> {
  const response = await fetch(`${system.url}/api/sales/${saleId}/orders`, {
    method: 'POST',
    headers: { ...sessionHeaders(await sessionOf(shopperId)), 'content-type': 'application/json', origin: system.url },
    body: JSON.stringify({ quantity: 1, startToken: 'x'.repeat(43) }),
  })
  const problem: unknown = await response.json()
  return typeof problem === 'object' && problem !== null ? Reflect.get(problem, 'code') : undefined
}

const answered = (result: RushResult, code: string) => result.answers.find((a) => a.code === code)?.count ?? 0

/** Invocations that requests cause: schedules and queues run the others meanwhile. */
const asked = ({ invocations }: Counters) => httpFunctions.map((name) => [name, invocations[name]])

describe('a rush of 300 for ten phones', () => {
  let result: RushResult
  beforeAll(async () => {
    result = await rush({})
  })

  it('sells ten and answers sold out to all other shoppers (L4, L5)', () => {
    expect(result.verdict).toMatchObject({ sold: 10, oversold: 0, lost: 0, stranded: 0, violations: [] })
    expect(answered(result, 'reserved')).toBe(10)
    expect(answered(result, 'sold-out')).toBe(290)
    expect(result.gaveUp).toBe(0)
  })

  it('shows every sampled winner the order (I2)', () => {
    expect(result.readable?.sampled).toBe(10)
  })

  it('lets no further request reach a function or the database once the gate knows (L2, L3, L6, S11)', async () => {
    // The gate's facts are at most a second old.
    await sleep(1100)
    const before = await system.counters()
    const codes = await Promise.all(Array.from({ length: 50 }, (_, i) => click(result.saleId, `late-${i}`)))
    const after = await system.counters()
    expect(new Set(codes)).toEqual(new Set(['sold-out']))
    expect(asked(after)).toEqual(asked(before))
  })
})

it('a rush while the queue is down loses no reservation (O4, O5)', async () => {
  const fault = { target: 'sqs', mode: 'down', forMs: 1500 } as const
  const result = await rush({ shoppers: 100, stock: 30, fault, cancels: true })
  expect(result.verdict).toMatchObject({ sold: 30, lost: 0, violations: [] })
  // All of them are given back at once afterwards (L4, O9).
  expect(result.peaks.at(-1)).toMatchObject({ name: 'cancelled orders', requests: 30, failed: 0 })
  expect((await system.stockSnapshot(result.saleId)).booked).toBe(0)
})

describe('a rush while the functions cannot be reached', () => {
  it('checks every reservation, also when the distribution replaced its answer (I2, I5)', async () => {
    const fault = { target: 'origin', mode: 'down', forMs: 3000 } as const
    // Admissions of requests that reached no function expire after fourteen seconds.
    const result = await rush({ shoppers: 60, stock: 30, fault })
    expect(result.answers.map(({ code }) => code)).toContain('status-502')
    expect(result.verdict).toMatchObject({ sold: 30, lost: 0, violations: [] })
  })
})

describe('a rush with less demand than stock', () => {
  let result: RushResult
  beforeAll(async () => {
    result = await rush({ shoppers: 5, stock: 10 })
  })

  it('leaves unwanted units in stock', () => {
    expect(result.verdict).toMatchObject({ sold: 5, expected: 5, violations: [] })
  })

  it('gives a bot no more requests than a person, and answers the others from memory (R1)', async () => {
    const before = await system.counters()
    const codes = await Promise.all(Array.from({ length: 100 }, () => click(result.saleId, 'robot')))
    const after = await system.counters()
    // Five a minute pass the throttle and are rejected for their start token; the others go no further.
    expect(codes.filter((code) => code === 'too-many-requests')).toHaveLength(95)
    expect(asked(after)).toEqual(asked(before))
  })

  it('rejects an unknown sale without running a function (B2)', async () => {
    const before = await system.counters()
    expect(await click('no-such-sale', 'ann')).toBe('unknown-sale')
    expect(asked(await system.counters())).toEqual(asked(before))
  })
})
