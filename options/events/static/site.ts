/** Describes events in the API: the calls of staff, and the webhooks to the shop's own systems. */
import { idShapes } from '../../../core/ids.ts'
import type { JsonSchema } from '../../../static/api/json-schema.ts'
import type { SiteSeam } from '../../../static/seams.ts'
import { eventTypes, testEventType } from '../core/names.ts'

const text = { type: 'string' }
const whole = { type: 'integer' }
const units = { type: 'object', additionalProperties: whole, description: 'Units by the id of their variant.' }
const idBy = (shape: string) => ({ ...text, pattern: `^${shape}$` })

/** The members of event data, each with an example. */
const members = {
  orderId: [idBy(idShapes.order), 'stoneware-mug-k7m2qx4c5dn6r3tj5vbhwzyeaf'],
  orderNumber: [{ ...text, description: 'The number that people say.' }, '414159260'],
  saleId: [idBy(idShapes.sale), 'stoneware-mug'],
  shopperId: [idBy(idShapes.shopper), 'ann'],
  packetId: [text, 'lucky-rain-p7'],
  quantity: [whole, 2],
  variant: [{ ...text, description: 'The variant of all units, in a sale with variants.' }, 'm'],
  units: [units, { m: 2 }],
  amount: [{ ...whole, description: 'In minor units.' }, 4800],
  currency: [text, 'EUR'],
  status: [{ ...text, description: 'The status of the order after the step.' }, 'paid'],
  revision: [{ ...whole, description: 'Rises with every step of the order or sale.' }, 3],
  windowIndex: [whole, 0],
  unitsReturned: [{ ...whole, description: 'Units that are on sale again by this step.' }, 2],
} as const satisfies Record<string, readonly [JsonSchema, unknown]>

type Member = keyof typeof members
/** The required and the optional members of the data of a type. */
type Data = { has: readonly Member[]; may?: readonly Member[] }
type EventType = (typeof eventTypes)[number] | typeof testEventType

const order = {
  has: ['orderId', 'saleId', 'shopperId', 'quantity', 'amount', 'currency', 'status', 'revision'],
  may: ['orderNumber', 'variant'],
} as const satisfies Data
const ended = { ...order, has: [...order.has, 'unitsReturned'] } as const satisfies Data
const sale = { has: ['saleId', 'windowIndex', 'revision'] } as const satisfies Data
const stock = { has: [...sale.has, 'quantity'], may: ['units'] } as const satisfies Data

/** README.md explains each type in detail. */
const described: Readonly<Record<EventType, readonly [summary: string, data: Data]>> = {
  'order.reserved': ['An order waits for its payment', order],
  'order.confirmed': ['A free order is complete', order],
  'order.paid': ['The payment of an order has arrived', order],
  'order.cancelled': ['An order has ended before it was shipped', ended],
  'order.refunded': ['All money of an order is back', ended],
  'order.shipped': ['An order was sent', order],
  'order.disputed': ['A shopper wants the money back from the bank', order],
  'sale.opened': ['Units can be bought', sale],
  'sale.sold-out': ['The last unit is reserved', sale],
  'sale.ended': ['A sale is over', sale],
  'stock.taken': ['A sale has taken units from the stock of the shop', stock],
  'stock.returned': ['A sale has given units back', stock],
  'packet.credited': [
    'A red packet is in the wallet of its shopper',
    { has: ['packetId', 'saleId', 'shopperId', 'amount', 'currency'] },
  ],
  [testEventType]: ['A marketer tries the address', { has: [] }],
}

const header = (name: string, description: string) => ({
  ...{ name, in: 'header' as const, required: true, schema: text, description },
})
const parameters = [
  header('webhook-id', 'The same for every try and every endpoint.'),
  header('webhook-timestamp', 'When it was sent, epoch seconds.'),
  header('webhook-signature', '`v1,` and the signature in base64, with each secret in use.'),
]

function describePost(type: EventType) {
  const [summary, { has, may = [] }] = described[type]
  const data = {
    type: 'object',
    properties: Object.fromEntries([...has, ...may].map((name) => [name, members[name][0]])),
    required: has,
  }
  const schema = {
    type: 'object',
    properties: { type: { const: type }, timestamp: { ...text, format: 'date-time' }, data },
    required: ['type', 'timestamp', 'data'],
  }
  const example = {
    ...{ type, timestamp: '2026-11-24T08:00:00.000Z' },
    data: Object.fromEntries(has.map((name) => [name, members[name][1]])),
  }
  return {
    operationId: type.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['events'],
    summary,
    security: [{ signature: [] }],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: { '2XX': { description: 'The event is taken. Any other answer is tried again.' } },
  }
}

const types: readonly EventType[] = [...eventTypes, testEventType]
/** The webhooks by the type of their event. */
const webhooks = Object.fromEntries(types.map((type) => [type, { post: describePost(type) }]))

const tags = {
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

const texts = {
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
} as const satisfies SiteSeam['texts']

export const site = { texts, webhooks, tags } satisfies SiteSeam
