/** Events on a bus of Amazon EventBridge. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { eventPayload } from '../../../core/events/event.ts'
import type { PutOnBus } from '../../orders/events/send-events.ts'

/**
 * Puts one event on the bus in each call, because the next of its order waits for it, and EventBridge bills by event.
 * The name of the bus, which is that of the stage, is the source of its events.
 * Region, credentials and endpoint come from the environment, read by the SDK itself.
 */
export function eventBridgeBus(bus: string): PutOnBus {
  const client = new EventBridgeClient({
    maxAttempts: 2,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 4000, throwOnRequestTimeout: true },
  })
  return async (event) => {
    const Detail = JSON.stringify({ id: event.id, ...eventPayload(event) })
    const entry = { EventBusName: bus, Source: bus, DetailType: event.type, Time: new Date(event.at), Detail }
    try {
      // A call succeeds although its event was refused.
      // https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
      const { FailedEntryCount, Entries } = await client.send(new PutEventsCommand({ Entries: [entry] }))
      return FailedEntryCount === 0 ? { status: 200 } : { failure: `refused: ${Entries?.[0]?.ErrorCode}` }
    } catch (error) {
      // Messages of AWS name the account, and marketers read the failure.
      return { failure: `not put: ${error instanceof Error ? error.name : 'no error'}` }
    }
  }
}
