/**
 * The part of Shopify's GraphQL Admin API that the bridge uses, by its documentation: the leaky bucket of points
 * (https://shopify.dev/docs/api/usage/limits), metafields with unique values, idempotency keys
 * (https://shopify.dev/docs/api/usage/implementing-idempotency), and cancellation in the background.
 */
import { type Answer, type FastClock, type FaultOf, initialStock, type Made, serve, sumUnits } from './emulation.ts'

type ShopOrder = {
  id: string
  sluiceId: string
  units: { variantId: string; quantity: number }[]
  paid: string
  cancelledAt: string | null
}
type Money = { shopMoney: { amount: string } }
/** The variables of all queries together. */
type Variables = {
  definition: { type: string; ownerType: string }
  identifier: { customId: { value: string } }
  id: string
  orderId: string
  order: {
    metafields: { value: string; type: string }[]
    lineItems: { variantId: string; quantity: number; priceSet: Money }[]
    transactions?: { amountSet: Money }[]
  }
  options: { inventoryBehaviour: string }
  input: {
    changes: { inventoryItemId: string; locationId: string; delta: number; changeFromQuantity?: number | null }[]
  }
  key: string
}

const restoreRate = 100
const maximumAvailable = 2000
const keyKeptForMs = 24 * 3_600_000

export async function startShopify({
  clock,
  faultOf,
  uniqueValues = true,
}: {
  clock: FastClock
  faultOf: FaultOf
  uniqueValues?: boolean
}) {
  const orders = new Map<string, ShopOrder>()
  const keys = new Map<string, { request: string; at: number; data: object }>()
  const available = new Map(initialStock.map((count, at) => [`gid://shopify/InventoryItem/${at + 1}`, count]))
  let definition: 'missing' | 'unique' | 'plain' = uniqueValues ? 'missing' : 'plain'
  let points = maximumAvailable
  let at = clock.now()
  const counts = { throttled: 0, creations: 0, adjustments: 0 }

  const bySluice = (value: string) => [...orders.values()].find(({ sluiceId }) => sluiceId === value)
  const userErrors = (message: string, code?: string) => ({ userErrors: [{ field: [], message, code }] })

  /** Fields of the answers by the field of the query. Each checks what the documentation says is required. */
  const fields: Record<string, (variables: Variables, query: string) => object | null> = {
    metafieldDefinitions: () => ({
      nodes:
        definition === 'missing'
          ? []
          : [{ type: { name: 'id' }, capabilities: { uniqueValues: { enabled: definition === 'unique' } } }],
    }),
    metafieldDefinitionCreate: ({ definition: wanted }) => {
      if (definition !== 'missing') return { createdDefinition: null, ...userErrors('Key is in use', 'TAKEN') }
      if (wanted.type !== 'id' || wanted.ownerType !== 'ORDER') throw new Error('not a custom id of orders')
      definition = 'unique'
      return { createdDefinition: { id: 'gid://shopify/MetafieldDefinition/1' }, userErrors: [] }
    },
    orderByIdentifier: ({ identifier }) => {
      const found = bySluice(identifier.customId.value)
      return found ? { id: found.id } : null
    },
    order: ({ id }) => {
      const found = orders.get(id)
      return found ? { cancelledAt: found.cancelledAt } : null
    },
    orderCreate: ({ order, options }) => {
      const [{ value, type } = { value: '', type: '' }] = order.metafields
      if (type !== 'id' || options.inventoryBehaviour !== 'BYPASS') throw new Error('not an order of the bridge')
      if (bySluice(value)) return { order: null, ...userErrors('Value is already in use by another order') }
      const cents = order.lineItems.reduce(
        (sum, { quantity, priceSet }) => sum + Math.round(Number(priceSet.shopMoney.amount) * 100) * quantity,
        0,
      )
      const paid = order.transactions?.[0]?.amountSet.shopMoney.amount ?? '0.00'
      if (cents !== Math.round(Number(paid) * 100)) return { order: null, ...userErrors('Not paid in full') }
      counts.creations += 1
      const id = `gid://shopify/Order/${orders.size + 1}`
      const units = order.lineItems.map(({ variantId, quantity }) => ({ variantId, quantity }))
      orders.set(id, { id, sluiceId: value, units, paid, cancelledAt: null })
      return { order: { id }, userErrors: [] }
    },
    orderCancel: ({ orderId }, query) => {
      if (!query.includes('restock: false')) throw new Error('would return units that Sluice sells')
      const found = orders.get(orderId)
      if (!found || found.cancelledAt !== null) {
        return { job: null, orderCancelUserErrors: [{ message: 'Order has already been cancelled' }] }
      }
      void clock.sleep(1500).then(() => {
        found.cancelledAt ??= new Date(clock.now()).toISOString()
      })
      return { job: { id: 'gid://shopify/Job/1' }, orderCancelUserErrors: [] }
    },
    inventoryAdjustQuantities: ({ input, key }, query) => {
      // Mandatory since 2026-04, as is an explicit changeFromQuantity.
      if (!query.includes('@idempotent(key: $key)') || typeof key !== 'string') throw new Error('no idempotency key')
      const request = JSON.stringify(input)
      const earlier = keys.get(key)
      if (earlier && clock.now() - earlier.at < keyKeptForMs) {
        if (earlier.request === request) return earlier.data
        return userErrors('Other parameters', 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH')
      }
      for (const { inventoryItemId, locationId, delta, changeFromQuantity } of input.changes) {
        if (changeFromQuantity !== null || !locationId) throw new Error('changeFromQuantity or locationId is missing')
        const before = available.get(inventoryItemId)
        if (before === undefined) return userErrors('Inventory item not found', 'INVALID_INVENTORY_ITEM')
        available.set(inventoryItemId, before + delta)
      }
      counts.adjustments += 1
      const data = { inventoryAdjustmentGroup: { id: 'gid://shopify/Group/1' }, userErrors: [] }
      keys.set(key, { request, at: clock.now(), data })
      return data
    },
  }

  const refill = () => {
    const now = clock.now()
    points = Math.min(maximumAvailable, points + ((now - at) / 1000) * restoreRate)
    at = now
  }

  const server = await serve(clock, faultOf, { status: 503, body: {} }, (method, path, body, headers): Answer => {
    if (method !== 'POST' || path !== '/admin/api/2026-10/graphql.json') return { status: 404, body: {} }
    if (headers['x-shopify-access-token'] !== 'shop-token') return { status: 401, body: {} }
    const { query, variables } = JSON.parse(body) as { query: string; variables: Variables }
    const field = /\{\s*(\w+)/.exec(query)?.[1] ?? ''
    const cost = query.startsWith('mutation') ? 10 : field === 'metafieldDefinitions' ? 5 : 1
    refill()
    const isThrottled = points < cost
    if (isThrottled) counts.throttled += 1
    else points -= cost
    const throttleStatus = { maximumAvailable, currentlyAvailable: Math.max(0, Math.floor(points)), restoreRate }
    const extensions = {
      cost: { requestedQueryCost: cost, actualQueryCost: isThrottled ? null : cost, throttleStatus },
    }
    if (isThrottled) {
      const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }]
      return { status: 200, body: { errors, extensions } }
    }
    const answer = fields[field]
    if (!answer) throw new Error(`the emulation has no ${field}`)
    return { status: 200, body: { data: { [field]: answer(variables, query) }, extensions } }
  })

  const made = (): Made[] =>
    [...orders.values()].map(({ sluiceId, cancelledAt, paid, units }) => ({
      ...{ id: sluiceId, isEnded: cancelledAt !== null, amount: Math.round(Number(paid) * 100) },
      units: sumUnits(units.map(({ variantId, quantity }) => [variantId.split('/').at(-1) ?? '', quantity] as const)),
    }))
  return {
    ...{ ...server, counts, made },
    /** Available units of the products 1, 2 and 3. */
    left: () => [...available.values()],
    /** Another program of the same app uses what is in the bucket, and of the next ten seconds. */
    drain: () => {
      refill()
      points = -1000
    },
  }
}
