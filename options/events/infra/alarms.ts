/** How a stage watches its events. */
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { recordNames } from '../../../core/lib/record-names.ts'
import type { AlarmRow } from '../../../infra/constructs/alarm.ts'
import { graph, half } from '../../../infra/constructs/dashboard.ts'
import { highest } from '../../../infra/constructs/metrics.ts'
import { countsOf, ownMetric } from '../../../infra/constructs/own-metrics.ts'
import type { OptionGraphs, WatchedSales } from '../../../infra/constructs/watched.ts'
import { metrics } from '../core/option.ts'

const page = 'options/events/README.md'

export const alarmRows = [
  {
    section: 'late-events',
    ...{ page, isEssential: true },
    means: () => 'Changes wait to become events of the shop’s systems: the function events fails.',
    of: ({ functions: { events } }) => (events ? [{ metric: events.metric('IteratorAge', highest) }] : []),
    atLeast: 300_000,
    for: [3, 5],
  },
  {
    section: 'dead-events',
    ...{ page, isEssential: true },
    means: () => 'An endpoint of the shop has not confirmed an event for three days; it is given up.',
    of: ({ functions: { events }, namespace }) =>
      events ? [{ metric: ownMetric(namespace, 'events', 'EventsDead', Stats.SUM) }] : [],
  },
] as const satisfies readonly AlarmRow<WatchedSales>[]

const sent: OptionGraphs = ({ namespace, functions: { events } }) =>
  events === undefined
    ? []
    : [
        graph('Events to the shop’s systems', half, countsOf(namespace, ...recordNames(metrics))),
        graph('Age of the oldest change without its events, ms', half, [events.metric('IteratorAge', highest)]),
      ]

export const graphs = [sent] as const
