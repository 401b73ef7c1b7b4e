/** What events add to the description of the API: the calls of staff, and what is posted to the shop's own systems. */
import type { OptionText } from '../../../static/api/operation-text.ts'
import { describeEvents } from './webhooks.ts'

export const webhooks = describeEvents()

export const webhookTags = {
  events: 'What is posted to the addresses that the shop has named for its own systems, signed by Standard Webhooks.',
} as const

const opensAt = Date.UTC(2027, 0, 15, 12)
const at = (seconds: number) => opensAt + 1000 * seconds
const eventId = 'stoneware-mug-k7m2qx4c5dn6r3tj5vbhwzyeaf_4'
const saved = { url: 'https://shop.example/events', types: ['order.paid', 'order.cancelled'] }
const endpoint = {
  ...{ name: 'erp', ...saved, sales: null, state: 'enabled' },
  ...{ savedAt: at(-60), formerSecretUntil: null },
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const sent = {
  ...{ eventId, type: 'order.paid', at: at(-5), state: 'delivered' },
  ...{ tries: 2, status: 204, failure: null, nextAt: null, finishedAt: at(-4) },
}

export const operationTexts = {
  listEventEndpoints: {
    ...{ tag: 'staff', summary: 'List the addresses that receive events' },
    examples: { answer: { endpoints: [endpoint] } },
  },
  saveEventEndpoint: {
    ...{ tag: 'staff', summary: 'Save an address that receives events' },
    description:
      '`url` is an https address, whose `secret` is shown once, when it is new, or `eventbridge:` and the name of the bus of the stage. Without `types` it receives all events, without `sales` those of all sales; `enabled` stays as it is unless given.',
    examples: { body: saved, answer: { endpoint, secret } },
  },
  deleteEventEndpoint: {
    ...{ tag: 'staff', summary: 'Remove an address that receives events' },
    examples: { answer: { name: 'erp' } },
  },
  rotateEventSecret: {
    ...{ tag: 'staff', summary: 'Make a new secret for an address that receives events' },
    description: 'The former secret signs as well for 24 hours.',
    examples: { answer: { endpoint: { ...endpoint, formerSecretUntil: at(1440) }, secret } },
  },
  testEventEndpoint: {
    ...{ tag: 'staff', summary: 'Send a test event' },
    description: 'Posts an event of the type `endpoint.test` at once, and answers what the endpoint answered.',
    examples: { answer: { delivered: true, status: 204, failure: null } },
  },
  listEventDeliveries: {
    ...{ tag: 'staff', summary: 'List what was sent to an address, and what waits' },
    description: 'At most 100 events that wait and the 100 newest that are done, of the last 30 days.',
    examples: { answer: { deliveries: [sent] } },
  },
  replayEventDelivery: {
    ...{ tag: 'staff', summary: 'Send an event once more' },
    examples: { body: { eventId, finishedAt: at(-4) }, answer: { eventId } },
  },
} as const satisfies Record<string, OptionText>
