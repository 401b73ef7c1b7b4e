/**
 * Shopify's GraphQL Admin API. Two things make a repeat harmless: an order carries the id of Sluice in a
 * metafield whose values are unique in the shop, and a change of stock carries an idempotency key.
 */
import { createHash } from 'node:crypto'
import { Busy, decimal, Rejected } from './order.js'
import { createBucket, retryAfterMs } from './pace.js'

/** Keys are kept for 24 hours: https://shopify.dev/docs/api/usage/implementing-idempotency */
const keyKeptForMs = 23 * 3_600_000

/** https://shopify.dev/docs/apps/build/metafields/working-with-custom-ids */
const customId = { namespace: 'sluice', key: 'order' }

/** The cost of a mutation, and of a query for one object: https://shopify.dev/docs/api/usage/limits#cost-calculation */
const mutationCost = 10
const queryCost = 1

const definitionQuery = `query ($namespace: String!, $key: String!) {
  metafieldDefinitions(first: 1, ownerType: ORDER, namespace: $namespace, key: $key) {
    nodes { type { name } capabilities { uniqueValues { enabled } } }
  }
}`
const definitionMutation = `mutation ($definition: MetafieldDefinitionInput!) {
  metafieldDefinitionCreate(definition: $definition) { createdDefinition { id } userErrors { message code } }
}`
const findQuery = `query ($identifier: OrderIdentifierInput!) { orderByIdentifier(identifier: $identifier) { id } }`
const readQuery = `query ($id: ID!) { order(id: $id) { cancelledAt } }`
const createMutation = `mutation ($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
  orderCreate(order: $order, options: $options) { order { id } userErrors { field message } }
}`
const cancelMutation = `mutation ($orderId: ID!, $refundMethod: OrderCancelRefundMethodInput!, $staffNote: String) {
  orderCancel(orderId: $orderId, refundMethod: $refundMethod, restock: false, reason: OTHER, notifyCustomer: false, staffNote: $staffNote) {
    job { id } orderCancelUserErrors { message code }
  }
}`
const adjustMutation = `mutation ($input: InventoryAdjustQuantitiesInput!, $key: String!) {
  inventoryAdjustQuantities(input: $input) @idempotent(key: $key) {
    inventoryAdjustmentGroup { id } userErrors { field message code }
  }
}`

/**
 * @param {{ url: string, version: string, locationId: string, timeoutSeconds: number }} config
 * @param {string} token of a custom app with read_orders, write_orders, read_inventory and write_inventory
 * @param {import('./pace.js').Clock} clock
 * @returns {import('./order.js').Shop}
 */
export function createShopify({ url, version, locationId, timeoutSeconds }, token, clock) {
  const bucket = createBucket(clock)
  const endpoint = `${url}/admin/api/${version}/graphql.json`

  /**
   * One call, as fast as the points allow.
   * @param {string} query @param {object} variables @param {number} cost
   * @returns {Promise<any>} `data` of the answer
   */
  async function ask(query, variables, cost) {
    for (;;) {
      await bucket.take(cost)
      let status
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
          body: JSON.stringify({ query, variables }),
          signal: AbortSignal.timeout(timeoutSeconds * 1000),
        })
        if (response.status === 429 || response.status === 503) {
          throw new Busy(`Shopify answers ${response.status}`, retryAfterMs(response.headers, clock.now()) ?? 2000)
        }
        if (!response.ok) throw new Error(`Shopify answers ${response.status}`)
        const { data, errors, extensions } = /** @type {any} */ (await response.json())
        status = extensions?.cost?.throttleStatus
        if (!errors?.length) return data
        const { message, extensions: { code } = {} } = errors[0]
        if (code === 'THROTTLED') {
          // The call has not been run, and `take` now waits for its points.
          if (!status) await clock.sleep(1000)
          continue
        }
        if (code === 'INTERNAL_SERVER_ERROR' || code === 'TIMEOUT') throw new Error(`Shopify: ${message}`)
        throw new Rejected(`Shopify: ${message}`)
      } finally {
        bucket.learn(cost, status)
      }
    }
  }

  /** @param {string} orderId @returns {Promise<string | undefined>} */
  const find = async (orderId) => {
    const identifier = { customId: { ...customId, value: orderId } }
    return (await ask(findQuery, { identifier }, queryCost)).orderByIdentifier?.id
  }

  /** True as well when the order is no longer there. @param {string} id */
  const isCancelled = async (id) => {
    const { order } = await ask(readQuery, { id }, queryCost)
    return !order || order.cancelledAt !== null
  }

  /**
   * https://shopify.dev/docs/api/admin-graphql/latest/mutations/inventoryAdjustQuantities
   * @param {string} what names the change, also in the history of the stock
   * @param {import('./order.js').Units[]} changes @param {import('./order.js').Memory} memory
   */
  async function adjust(what, changes, { note, save }) {
    if (changes.length === 0) return
    const reference = `gid://sluice/StockChange/${what}`
    if (Number(note.triedAt ?? clock.now()) < clock.now() - keyKeptForMs) {
      throw new Rejected(
        `it is unknown whether Shopify has changed the stock: look for ${reference} in the history, and change it by hand`,
      )
    }
    if (note.triedAt === undefined) await save({ triedAt: clock.now() })
    const input = {
      ...{ name: 'available', reason: 'other', referenceDocumentUri: reference },
      changes: changes.map(({ product, quantity }) => ({
        inventoryItemId: product.inventoryItemId,
        locationId: product.locationId ?? locationId,
        delta: quantity,
        // The delta is right for every present quantity.
        changeFromQuantity: null,
      })),
    }
    const { inventoryAdjustQuantities } = await ask(adjustMutation, { input, key: uuidOf(what) }, mutationCost)
    const [error] = inventoryAdjustQuantities.userErrors
    if (error?.code === 'IDEMPOTENCY_CONCURRENT_REQUEST') throw new Error('Shopify is still at this change')
    if (error) throw new Rejected(`Shopify: ${error.message}`)
  }

  return {
    async prepare() {
      const { metafieldDefinitions } = await ask(definitionQuery, customId, 5)
      const [found] = metafieldDefinitions.nodes
      if (found?.capabilities.uniqueValues.enabled) return
      const name = `${customId.namespace}.${customId.key}`
      if (found) throw new Rejected(`the metafield ${name} of orders exists, and its values are not unique`)
      const definition = { ...customId, name: 'Sluice order', type: 'id', ownerType: 'ORDER' }
      const { metafieldDefinitionCreate } = await ask(definitionMutation, { definition }, mutationCost)
      const [error] = metafieldDefinitionCreate.userErrors
      if (error) throw new Rejected(`the metafield ${name} of orders cannot be defined: ${error.message}`)
    },

    /** https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderCreate has no idempotency key. */
    async create({ orderId, shopperId, at, currency, amount, lines }, { note, save }) {
      const earlier = note.tried ? await find(orderId) : undefined
      if (earlier) return earlier
      await save({ tried: true })
      /** @param {number} minor */
      const money = (minor) => ({ shopMoney: { amount: decimal(minor, currency), currencyCode: currency } })
      const order = {
        ...{ currency, processedAt: at, sourceIdentifier: orderId, tags: ['sluice'], taxesIncluded: true },
        metafields: [{ ...customId, type: 'id', value: orderId }],
        customAttributes: [{ key: 'Sluice shopper', value: shopperId }],
        lineItems: lines.map(({ product, quantity, unitAmount }) => ({
          ...{ variantId: product.variantId, quantity, priceSet: money(unitAmount) },
        })),
        ...(amount > 0
          ? {
              transactions: [{ kind: 'SALE', status: 'SUCCESS', gateway: 'Sluice', amountSet: money(amount) }],
            }
          : { financialStatus: 'PAID' }),
      }
      // The units left the stock of the shop when the sale took them.
      const options = { inventoryBehaviour: 'BYPASS', sendReceipt: false, sendFulfillmentReceipt: false }
      const { orderCreate } = await ask(createMutation, { order, options }, mutationCost)
      if (orderCreate.order) return orderCreate.order.id
      // An earlier try may have arrived meanwhile: then the id is taken.
      const meanwhile = await find(orderId)
      if (meanwhile) return meanwhile
      throw new Rejected(`Shopify: ${orderCreate.userErrors[0]?.message}`)
    },

    /** https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderCancel. The money is returned by Sluice. */
    async end(id) {
      if (await isCancelled(id)) return
      const variables = {
        ...{ orderId: id, refundMethod: { originalPaymentMethodsRefund: false } },
        staffNote: 'Ended in Sluice, which returns the money',
      }
      const { orderCancel } = await ask(cancelMutation, variables, mutationCost)
      const [error] = orderCancel.orderCancelUserErrors
      // Shopify cancels in the background.
      for (let tries = 0; tries < 10; tries += 1) {
        if (await isCancelled(id)) return
        if (error) throw new Rejected(`Shopify does not cancel ${id}: ${error.message}`)
        await clock.sleep(1000)
      }
      throw new Error(`Shopify has not cancelled ${id} yet`)
    },

    adjust,
  }
}

/** The same UUID for the same text, as Shopify advises for keys of jobs. @param {string} text */
function uuidOf(text) {
  const hex = createHash('sha256').update(`sluice ${text}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
