/** What events cost: for one endpoint, as the settings do not say how many there are, and for the bus of a stage that has one. */
import type { MessageCost } from '../../../infra/option-resources.ts'
import { runSeconds } from '../../../infra/settings/arithmetic.ts'
import type { EventSettings } from './settings.ts'

/** An event that waits is written and listed; the answer changes both in a transaction with the record of the event. */
const tableWritesPerEvent = 7

/** https://aws.amazon.com/eventbridge/pricing: an event of our own, for each 64 kB of it. */
const busEvent = 1e-6

const events: MessageCost = {
  item: 'Events',
  each({ sendsEvents, eventBus, functions: { events: fn } }, { table, functions }) {
    if (sendsEvents !== true) return 0
    const run = runSeconds.read * (fn.memoryMb / 1024) * functions.gbSecond
    const delivered = tableWritesPerEvent * table.write + run
    return eventBus === true ? 2 * delivered + busEvent : delivered
  },
}

export const messageCosts = [events] as const

/** Those that the alarms of a stage with events read. */
export const alarmedMetrics = [({ sendsEvents }: EventSettings): number => (sendsEvents === true ? 3 : 0)] as const
