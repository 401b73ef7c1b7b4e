/** Programs that lose orders, units, money or codes, which the simulation must detect. */
import { parseOrderId } from '../../../core/ids.ts'
import { dueRefundsList } from '../../../functions/table/keys.ts'
import { changeWrittenOrders } from '../../../functions/table/orders/change-orders.ts'
import { findWrittenOrder } from '../../../functions/table/orders/orders.ts'
import type { TransactionPart } from '../../../proof/simulation/dynamodb/memory-table.ts'
import { commandJson, type Sent } from '../../../proof/simulation/dynamodb/wire.ts'
import {
  editedScript,
  isForItem,
  type Mutation,
  onTableCommand,
  withoutCondition,
} from '../../../proof/simulation/mutation.ts'
import { countedCoupons } from '../../../proof/simulation/parts/coupons.ts'
import type { Commander } from '../../../redis/command.ts'
import { acknowledgeOrders } from '../../../redis/orders/outbox.ts'
import { changesOrders } from '../../world/wire.ts'

const shutByAnswer = /^units were taken after the marketer was answered that the sale is (?:paused|closed) \(I6\)$/

/** A list is always read as empty. */
const withoutItems = (at: string) => onTableCommand(at, async () => ({ Items: [] }))

/** The parts of a cap, in an answer of the table, without their units. */
function withoutUnits(answer: object): object {
  return JSON.parse(JSON.stringify(answer), (name, value) => (name === 'remaining' ? 0 : value))
}

/** Puts of orders that are new, and of those that are known: two conditions. */
const putsOrder = (request: TransactionPart) => isForItem(request, 'ORDERS#')
const isNew = ({ ConditionExpression }: TransactionPart) => ConditionExpression === 'attribute_not_exists(pk)'

const overwriteOrder = withoutCondition((request) => putsOrder(request) && isNew(request))

/** An item of a transaction as it is sent. */
type WireItem = {
  Put?: { Item: Record<string, { S?: string; M?: Record<string, object> }> }
  Update?: { UpdateExpression: string; ExpressionAttributeValues: { ':delta'?: { N: string } } }
}

const itemsIn = (command: Sent): readonly WireItem[] => JSON.parse(commandJson(command)).TransactItems
const makesRefundDue = ({ Update }: WireItem) => Update?.UpdateExpression.startsWith('SET refund =') === true

/** Leaves the other items out of a transaction. */
function keepItems(command: Sent, isKept: (item: WireItem) => boolean): void {
  const sent = JSON.parse(commandJson(command))
  const TransactItems = itemsIn(command).filter(isKept)
  Object.assign(command, { body: JSON.stringify({ ...sent, TransactItems }) })
}

const shippedOrder = (items: readonly WireItem[]) =>
  items.find(({ Put }) => Put?.Item.shipment !== undefined)?.Put?.Item.sk?.S

/** Changes of orders without the refunds that they make due, where `isMeant`. */
const withoutRefunds = (isMeant: (items: readonly WireItem[]) => boolean) =>
  onTableCommand(changesOrders, (send, command) => {
    if (isMeant(itemsIn(command))) keepItems(command, (item) => !makesRefundDue(item))
    return send()
  })

/** Ends a shipped order whose money goes back, as if it had never left. */
const endRefunded: Mutation['outside'] = (outside) => {
  const { table } = outside.table
  return onTableCommand(changesOrders, async (send, command) => {
    const items = itemsIn(command)
    const answer = await send()
    const orderId = items.some(makesRefundDue) ? parseOrderId(shippedOrder(items)) : undefined
    const from = orderId && (await findWrittenOrder(table, orderId))
    if (from === undefined) return answer
    const status = 'refund-due' as const
    const history = from.history.map((entry, at) => (at === from.history.length - 1 ? { ...entry, status } : entry))
    await changeWrittenOrders(table, [{ from, to: { ...from, status, history } }])
    return answer
  })(outside)
}

/** Removes a message from the outbox before the queue has it. */
export const acknowledgeFirst: Mutation['outside'] = ({ queues, ...outside }) => ({
  ...outside,
  queues: {
    ...queues,
    async send(message) {
      await acknowledgeOrders(outside.stock, message.saleId, [message])
      await queues.send(message)
    },
  },
})

export const orderMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'acknowledges a message before it is sent (O4)': { outside: acknowledgeFirst },
  'does not send the outbox again (O5)': {
    outside: ({ queues, ...outside }) => ({
      ...outside,
      queues: { ...queues, sendAll: async (messages) => messages.map(() => undefined) },
    }),
  },
  'answers a repeat whose message Redis alone has (O4)': {
    scripts: editedScript('reserve', "known.units > 0 and redis.call('HGET', KEYS[2], order)", 'false'),
    found: /^\d+ reservations? without an order \(.*\) \(I2\)$/,
  },
  'reserves twice for a repeated request (I5)': {
    scripts: editedScript('reserve', 'if known then', 'if false then'),
  },
  'sells while a sale is closed (I6)': {
    scripts: editedScript('reserve', "if flag == 'paused' then return answer(12) end", ''),
    // Redis has it as paused already, so a unit may be taken before the marketer's answer.
    found: /^units were taken (?:of a closed sale|after the marketer was answered)/,
  },
  'answers that a sale is closed while Redis still sells it (I6)': {
    scripts: editedScript(
      'warm',
      'do set(field, value) end\nif not total',
      "do set(field, (value == 'paused' or value == 'closed') and 'on' or value) end\nif not total",
    ),
    found: shutByAnswer,
  },
  'holds nothing back in a recovered sale (I2)': {
    scripts: editedScript('unfreeze', 'math.max(0, math.min(tonumber(ARGV[7]), ARGV[1] - booked))', '0'),
  },
  'returns units without a hold (O9)': {
    scripts: editedScript(
      'release',
      '{units = 0}, true\n',
      '{units = 0}, true\n    count, units = count + 1, units + 1\n',
    ),
  },
  'does not record whose units it returned (I5)': {
    scripts: editedScript('release', "if #fields > 0 then redis.call('HSET', KEYS[1], unpack(fields)) end", ''),
  },
  'frees the lock of another client (K4)': {
    scripts: editedScript('unlock', "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {2} end", ''),
  },
  'never returns an unused admission (G7)': {
    scripts: editedScript('replenish', "redis.call('HDEL', KEYS[1], field)", 'if second then out = out + count end'),
  },
  'does not compare the block list (R8)': { outside: withoutItems('query BLOCKLIST') },
  'changes an order without checking its status (O8)': {
    edit: withoutCondition((request) => putsOrder(request) && !isNew(request)),
  },
  'does not refund a late payment': { outside: withoutRefunds(() => true) },
  'overwrites an order with a duplicate (O6)': { edit: overwriteOrder },
  'does not enforce the cap (I1)': {
    edit: withoutCondition(
      ({ ConditionExpression }) => ConditionExpression?.startsWith('remaining >= :quantity') === true,
    ),
  },
  'rejects orders when one part of the cap has too few units (I2)': {
    outside: onTableCommand(/^(?:batch|transact) get CAP$/, async (send) => withoutUnits(await send())),
  },
  'moves units out of a part of the cap and into none (I4)': {
    outside: onTableCommand('transact CAP', (send, command) => {
      keepItems(command, ({ Update }) => Number(Update?.ExpressionAttributeValues[':delta']?.N) < 0)
      return send()
    }),
  },
  'requests a refund once and never retries': { outside: withoutItems(`query ${dueRefundsList}`) },
  'does not record units still to be returned (O9)': { outside: withoutItems('query RELEASE') },
}

/** They are found in sales whose orders are shipped meanwhile. */
export const shippingMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'gives the units of a refunded order back after they were shipped (I1)': {
    outside: endRefunded,
    found: /is refund(?:ed|-due), and was shipped/,
  },
  'ships an order that was refunded meanwhile (I4)': {
    edit: withoutCondition((request) => putsOrder(request) && request.Item?.shipment !== undefined),
  },
  'forgets the refund of a shipped order': { outside: withoutRefunds((items) => shippedOrder(items) !== undefined) },
}

export const couponMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'draws coupon codes twice': {
    outside: (outside) => {
      const drawn = countedCoupons()
      const first = drawn(1)
      return { ...outside, makeCoupons: (quantity) => [...first, ...drawn(quantity - 1)] }
    },
  },
  'overwrites an order with a duplicate that has other codes (O6)': { edit: overwriteOrder },
  'stores only the first code of an order': {
    outside: ({ table, ...outside }) => ({
      ...outside,
      table: {
        ...table,
        book: {
          write: (chunk) =>
            table.book.write(
              chunk.map((entry) => ({
                ...entry,
                order: { ...entry.order, coupons: entry.order.coupons?.slice(0, 1) },
              })),
            ),
        },
      },
    }),
  },
}

/** The payment of an order that the shop has confirmed, where a transaction stores one. */
const confirmedPayment = (items: readonly WireItem[]) =>
  items.find(({ Put }) => Put?.Item.status?.S === 'paid')?.Put?.Item.payment?.M

/** Defects of sales that are paid in the checkout of the shop. */
export const cartMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'answers the confirmation of a shop and does not store it (I2)': {
    found: /^cart \S+ was paid in the shop, and \S+ is (?:cancelled|missing|refunded) \(I2\)$/,
    outside: onTableCommand(changesOrders, (send, command) =>
      confirmedPayment(itemsIn(command))?.inShop === undefined ? send() : Promise.resolve({}),
    ),
  },
  'does not store for which order of the shop the money came (I5)': {
    found: /^cart \S+ was paid in the shop, and \S+ is (?:paid|fulfilled) \(I2\)$/,
    outside: onTableCommand(changesOrders, (send, command) => {
      const sent = JSON.parse(commandJson(command))
      const payment = confirmedPayment(sent.TransactItems)
      if (payment?.inShop === undefined) return send()
      delete payment.reference
      Object.assign(command, { body: JSON.stringify(sent) })
      return send()
    }),
  },
}

/** Defects of sales with customers of the shop. */
export const customerMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'publishes the first keys of an issuer and no later ones (R1)': {
    found: /^the token of \S+ lets undefined in at rest, not customer:shop\|\S+ \(R8\)$/,
    outside: (outside) => {
      let first: unknown
      const exec: Commander['exec'] = async (command) => {
        const [name, , field, version] = command
        if (name !== 'HSET' || field !== 'customers') return outside.gate.exec(command)
        first ??= version
        return version === first ? outside.gate.exec(command) : 0
      }
      return { ...outside, gate: { exec } }
    },
  },
  'publishes no block of a key (R8)': {
    found: /^the gate blocks .* and should block session-key /,
    outside: (outside) => ({
      ...outside,
      gate: {
        exec: async (command) =>
          command.some((word) => String(word).startsWith('session-key ')) ? [2] : outside.gate.exec(command),
      },
    }),
  },
}
