/** The resources of a stage that sends events: queue, bus, rights, alarms and graphs. */
import { Stack } from 'aws-cdk-lib'
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { keyPrefixes, listIndex } from '../../../functions/table/keys.ts'
import type { AlarmRow } from '../../../infra/constructs/alarm.ts'
import { ChangeStream } from '../../../infra/constructs/change-stream.ts'
import { graph, half } from '../../../infra/constructs/dashboard.ts'
import { WakingQueue } from '../../../infra/constructs/message-queue.ts'
import { maxPerMinute } from '../../../infra/constructs/metrics.ts'
import { countsOf, ownMetric } from '../../../infra/constructs/own-metrics.ts'
import type { Grantee } from '../../../infra/constructs/sale-function.ts'
import { grantSecrets } from '../../../infra/constructs/secrets.ts'
import type { OptionGraphs, WatchedSales } from '../../../infra/constructs/watched.ts'
import type { OptionResources, StacksSeam } from '../../../infra/seams.ts'
import { names } from '../core/names.ts'
import { endpointRunPrefix, endpointsPk, pendingPrefix, sentPrefix } from '../functions/keys.ts'
import { functions } from '../system/functions.ts'

const ownResources: OptionResources = (scope, { name: stage, sendsEvents, eventBus }) => {
  if (sendsEvents !== true) return {}
  const queue = new WakingQueue(scope, 'Events', stage, 'events')
  // The bus belongs to the stage, because EventBridge accepts events for a bus that does not exist and drops them
  // (https://github.com/aws/aws-sdk/issues/186).
  const bus =
    eventBus === true
      ? new EventBus(new Construct(scope, 'EventBus'), 'Bus', { eventBusName: `sluice-${stage}` })
      : undefined
  const usesBus = (fn: Grantee) => {
    if (bus === undefined) return
    fn.allow(['events:PutEvents'], [bus.eventBusArn])
    fn.setVariable('EVENT_BUS', bus.eventBusName)
  }
  return {
    /** A marketer saves endpoints and resends events. */
    delivery(fn, { table }) {
      table.grantKeys(fn, ['PutItem'], [endpointsPk, endpointRunPrefix, pendingPrefix, keyPrefixes.audit])
      table.grantKeys(fn, ['DeleteItem'], [endpointsPk])
      fn.setVariable('SENDS_EVENTS', 'yes')
      fn.setShopAddress('SHOP_URL')
      usesBus(fn)
    },
    events(fn, { table, failures }) {
      table.grantKeys(fn, ['Query'], [endpointsPk])
      table.grantKeys(fn, ['Query'], [pendingPrefix], listIndex)
      table.grantKeys(fn, ['GetItem'], [pendingPrefix])
      table.grantKeys(fn, ['PutItem'], [pendingPrefix, sentPrefix])
      table.grantKeys(fn, ['UpdateItem'], [endpointsPk, endpointRunPrefix])
      table.grantHeartbeat(fn)
      grantSecrets(stage, fn, 'personalKeys')
      queue.grantSend(fn)
      fn.setShopAddress('SHOP_URL')
      usesBus(fn)
      const { filters, consumption } = functions.streamed.events
      new ChangeStream(Stack.of(fn), 'EventStream', { fn, streamArn: table.streamArn, failures, filters, consumption })
      queue.consumedBy(fn.live)
    },
  }
}

const page = 'options/events/README.md'

const alarms = [
  {
    section: 'late-events',
    ...{ page, isEssential: true },
    means: () => 'Changes wait to become events of the shop’s systems: the function events fails.',
    of: ({ functions: { events } }) => (events ? [{ metric: events.metric('IteratorAge', maxPerMinute) }] : []),
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

const graphs: OptionGraphs = ({ namespace, functions: { events } }) =>
  events === undefined
    ? []
    : [
        graph('Events to the shop’s systems', half, countsOf(namespace, ...names.metrics.events)),
        graph('Age of the oldest change without its events, ms', half, [events.metric('IteratorAge', maxPerMinute)]),
      ]

export const stacks = { resources: ownResources, alarms, graphs } satisfies StacksSeam
