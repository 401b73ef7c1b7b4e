/** The events of a planned sale, in a stage that sends them. */
import type { Prices } from '../../infra/prices.ts'
import { runSeconds } from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import type { Plan } from './plan.ts'
import { type CostLine, counted } from './sale-cost.ts'

/** Goods: reserved, paid, shipped. Others are complete at once. */
const eventsPerUnit = { goods: 3, coupon: 1, 'red-packet': 1 } as const

/** What waits is written and listed; the answer changes both in a transaction with the record of the event. */
const tableWritesPerEvent = 7

/** For one endpoint, because the settings do not say how many there are, and for the bus of a stage that has one. */
export function eventCost(
  { kind, stock }: Pick<Plan, 'kind' | 'stock'>,
  { sendsEvents, eventBus, functions }: Pick<StageSettings, 'sendsEvents' | 'eventBus' | 'functions'>,
  prices: Prices,
): CostLine[] {
  if (sendsEvents !== true) return []
  const events = stock * eventsPerUnit[kind]
  const { table, eventBus: bus } = prices
  const gbSeconds = runSeconds.read * (functions.events.memoryMb / 1024)
  const each = tableWritesPerEvent * table.write + gbSeconds * prices.functions.gbSecond
  const quantity = counted(events)
  return [
    { item: 'Events, for each endpoint', quantity, dollars: events * each },
    ...(eventBus === true ? [{ item: 'Events on the bus', quantity, dollars: events * (each + bus.event) }] : []),
  ]
}
