/** The stream, the bus and the costs of events in a stage. */
import { describe, expect, it } from 'vitest'
import { priceBooks } from '../../../../infra/prices.ts'
import { runSeconds } from '../../../../infra/settings/arithmetic.ts'
import { refuseBadSettings } from '../../../../infra/settings/problems.ts'
import { prod } from '../../../../infra/settings/prod.ts'
import type { StageSettings } from '../../../../infra/settings/stage.ts'
import { stages } from '../../../../test/infra/stages.ts'
import { describeStage, only, stringsIn } from '../../../../test/infra/support.ts'
import { functions } from '../../system/functions.ts'

const described = describeStage()

describe('the stream of events', () => {
  it('invokes the function for orders, credits of wallets, steps of sales and wakes, and for no other item', () => {
    const mappings = Object.values(describeStage('full').resources('app', 'AWS::Lambda::EventSourceMapping'))
    const [mapping, ...more] = mappings.filter(
      ({ Properties }) =>
        stringsIn(Properties.EventSourceArn).join().includes('Stream') &&
        stringsIn(Properties.FunctionName).join().includes('events'),
    )
    expect(more).toEqual([])
    if (mapping === undefined) throw new Error('nothing invokes the function')
    const { Filters } = mapping.Properties.FilterCriteria as { Filters: { Pattern: string }[] }
    const changed = ['INSERT', 'MODIFY']
    const from = (prefix: string) => ({ S: [{ prefix }] })
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { eventName: changed, dynamodb: { Keys: { pk: from('ORDERS#') } } },
      { eventName: changed, dynamodb: { Keys: { pk: from('SALE#'), sk: from('STEPS') } } },
      { eventName: changed, dynamodb: { Keys: { pk: from('ENDPOINT#'), sk: from('WAKE') } } },
    ])
  })
})

describe('the bus of events', () => {
  it('is there in a stage with the setting', () => {
    expect(described.resources('data', 'AWS::Events::EventBus')).toEqual({})
    const bus = only(describeStage('full').resources('data', 'AWS::Events::EventBus'))
    expect(bus.Properties).toMatchObject({ Name: 'sluice-full' })
  })

  it('would get nothing in a stage that sends no events', () => {
    const settings = { ...stages.full, sendsEvents: false }
    expect(() => refuseBadSettings(settings)).toThrow('eventBus is set without sendsEvents')
  })
})

describe('the cost of an event', () => {
  it('includes the writes of the table and a dollar for a million events on the bus, and is zero without the setting', () => {
    const prices = { ...priceBooks.eu, runSeconds: runSeconds.read }
    const million = (change: Partial<StageSettings>) => 1e6 * functions.cost.each({ ...prod, ...change }, prices)
    expect(million({})).toBe(0)
    const one = million({ sendsEvents: true })
    expect(one).toBeGreaterThan(7 * 0.705)
    expect(million({ sendsEvents: true, eventBus: true }) - 2 * one).toBeCloseTo(1)
  })
})
