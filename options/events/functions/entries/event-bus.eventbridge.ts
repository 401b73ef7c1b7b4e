/** Sends events to endpoints, one of which may be a bus of Amazon EventBridge. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import * as z from 'zod/mini'
import { address, nonEmpty } from '../../../../functions/lib/env.ts'
import { NotReadable, type PostPublic, publicPost } from '../../../../functions/lib/http/public-http.ts'
import { busScheme } from '../../core/endpoint.ts'
import type { eventPayload } from '../../core/event.ts'

/** `PUBLIC_ADDRESSES` is `any` on one machine, where receivers have no public address. A stage without events has no `SHOP_URL`. */
export const endpointVariables = {
  SHOP_URL: z.optional(address),
  PUBLIC_ADDRESSES: z.optional(z.literal('any')),
  EVENT_BUS: z.optional(nonEmpty),
}

type EndpointVariables = {
  SHOP_URL?: string | undefined
  PUBLIC_ADDRESSES?: 'any' | undefined
  EVENT_BUS?: string | undefined
}

/** Returns the sender to the endpoints of a stage. */
export const endpointPost = ({ SHOP_URL, PUBLIC_ADDRESSES, EVENT_BUS }: EndpointVariables): PostPublic =>
  postOrPut(publicPost({ allowsAnyAddress: PUBLIC_ADDRESSES === 'any', shopUrl: SHOP_URL }), EVENT_BUS)

/**
 * Puts events for the address of the stage's bus on the bus, and posts all others. Each call has one event, because the next
 * event of its order waits for it, and EventBridge bills by event. The name of the bus is the source of its events.
 * Region, credentials and endpoint come from the environment, read by the SDK itself.
 */
export function postOrPut(post: PostPublic, bus: string | undefined): PostPublic {
  if (bus === undefined) return post
  const client = new EventBridgeClient({
    maxAttempts: 2,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 4000, throwOnRequestTimeout: true },
  })
  return async (url, headers, body) => {
    if (url !== busScheme + bus) return post(url, headers, body)
    const payload: ReturnType<typeof eventPayload> = JSON.parse(body)
    const Detail = JSON.stringify({ id: headers['webhook-id'], ...payload })
    const { type: DetailType, timestamp } = payload
    const entry = { EventBusName: bus, Source: bus, DetailType, Time: new Date(timestamp), Detail }
    const put = await client.send(new PutEventsCommand({ Entries: [entry] })).catch((error) => {
      // Messages of AWS name the account, and marketers read the failure.
      throw new NotReadable(`not put: ${error instanceof Error ? error.name : 'no error'}`)
    })
    // A call succeeds even if its event was refused.
    // https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
    if (put.FailedEntryCount !== 0) throw new NotReadable(`refused: ${put.Entries?.[0]?.ErrorCode}`)
    return 200
  }
}
