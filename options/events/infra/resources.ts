/** What a stage that sends events has: their queue, their bus, and what the functions may do with them. */
import { Stack } from 'aws-cdk-lib'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { keyPrefixes, listIndex } from '../../../functions/table/keys.ts'
import { ChangeStream } from '../../../infra/constructs/change-stream.ts'
import { WakingQueue } from '../../../infra/constructs/message-queue.ts'
import type { Grantee } from '../../../infra/constructs/sale-function.ts'
import { grantSecrets } from '../../../infra/constructs/secrets.ts'
import type { OptionResources } from '../../../infra/option-resources.ts'
import { endpointRunPrefix, endpointsPk, pendingPrefix, sentPrefix } from '../functions/keys.ts'
import { functions } from '../system/functions.ts'

const events: OptionResources = (scope, { name: stage, sendsEvents, eventBus }) => {
  if (sendsEvents !== true) return {}
  const queue = new WakingQueue(scope, 'Events', stage, 'events')
  // A part of the stage, because EventBridge accepts events for a bus that does not exist and drops them
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
    /** A marketer saves endpoints, and sends an event once more. */
    delivery(fn, { table }) {
      table.grantKeys(fn, ['PutItem'], [endpointsPk, endpointRunPrefix, pendingPrefix, keyPrefixes.audit])
      table.grantKeys(fn, ['DeleteItem'], [endpointsPk])
      fn.setVariable('SENDS_EVENTS', 'yes')
      usesBus(fn)
    },
    events(fn, { table, failures }) {
      table.grantKeys(fn, ['Query'], [endpointsPk])
      table.grantKeys(fn, ['Query'], [pendingPrefix], listIndex)
      table.grantKeys(fn, ['GetItem'], [pendingPrefix])
      table.grantKeys(fn, ['PutItem'], [pendingPrefix, sentPrefix])
      table.grantKeys(fn, ['UpdateItem'], [endpointsPk, endpointRunPrefix])
      table.grantSign(fn)
      grantSecrets(stage, fn, 'personalKeys')
      queue.grantSend(fn)
      usesBus(fn)
      const { filters, consumption } = functions.events
      new ChangeStream(Stack.of(fn), 'EventStream', { fn, streamArn: table.streamArn, failures, filters, consumption })
      queue.consumedBy(fn.live)
    },
  }
}

export const resources = [events] as const
