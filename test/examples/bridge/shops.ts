/** The parts of Shopify and WooCommerce that the bridge calls, by their documentation, and a clock of their time. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Listening, listen } from '../../../local/listen.ts'

/** Time passes only while the bridge waits. The work of a shop in the background ends then. */
export function testClock() {
  let now = Date.parse('2026-11-24T08:00:00Z')
  let due: { at: number; run: () => void }[] = []
  let waits = 0
  let waitsAtOnce = 1
  const later = (milliseconds: number, run: () => void) => void due.push({ at: now + milliseconds, run })
  const pass = (milliseconds: number): void => {
    now += milliseconds
    const over = due.filter(({ at }) => at <= now)
    due = due.filter(({ at }) => at > now)
    for (const { run } of over) run()
  }
  return {
    now: () => now,
    pass,
    later,
    /** Time stands still from now on until the bridge is in so many waits of the same length. */
    waitFor: (several: number) => {
      waitsAtOnce = several
    },
    sleep: async (milliseconds: number) => {
      if (milliseconds <= 0) return
      waits += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      later(milliseconds, resolve)
      if (waits >= waitsAtOnce) {
        waits = 0
        pass(milliseconds)
      }
      await promise
    },
  }
}
export type TestClock = ReturnType<typeof testClock>

/**
 * The fault of a call: it never arrives; it takes effect and the answer is lost; the connection ends and the effect comes
 * 20 s later, as when a proxy times out; the shop is busy; the bridge dies before or after the effect.
 */
export const faults = ['request lost', 'answer lost', 'late effect', 'busy', 'crash before', 'crash after'] as const
export type Fault = (typeof faults)[number]
/** Returns the fault of call number `call`. */
export type FaultOf = (call: number) => Fault | undefined

type Call = { method: string; path: string; body: string; headers: IncomingHttpHeaders }
type Answer = { status: number; headers?: Record<string, string>; body: unknown }
/** An order in a shop, with its amount in cents, and its units by the number of the product. */
type Made = { amount: number; isEnded: boolean; units: Record<string, number> }
type Shop = {
  busy: Answer
  answer(call: Call): Answer
  /** Returns the orders that staff see, by their ids in Sluice. */
  made(): Record<string, Made>
  /** Returns the available units of the products 1, 2 and 3. */
  left(): number[]
}

const initialStock = [2000, 1000, 1000]
const minor = (amount: string) => Math.round(Number(amount) * 100)

/** Serves `shop` with faults. */
export function serveShop(shop: Shop, clock: TestClock, faultOf: () => Fault | undefined): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body: await text(request) }
    const fault = faultOf()
    if (fault === 'late effect') clock.later(20_000, () => shop.answer(call))
    const isLost = fault === 'request lost' || fault === 'late effect' || fault === 'crash before'
    const { status, headers: more, body } = fault === 'busy' || isLost ? shop.busy : shop.answer(call)
    if (fault !== undefined && fault !== 'busy') return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
  })
  return listen(server, 0)
}

type Money = { shopMoney: { amount: string } }
/** The variables of all queries together. */
type Variables = {
  identifier: { customId: { value: string } }
  id: string
  orderId: string
  order: {
    metafields: [{ value: string; type: string }]
    lineItems: { variantId: string; quantity: number; priceSet: Money }[]
    transactions?: [{ amountSet: Money }]
  }
  options: { inventoryBehaviour: string }
  input: {
    changes: { inventoryItemId: string; locationId: string; delta: number; changeFromQuantity?: number | null }[]
  }
  key: string
}

/** https://shopify.dev/docs/api/usage/limits */
const [restoreRate, maximumAvailable] = [100, 2000]
/** https://shopify.dev/docs/api/usage/implementing-idempotency */
const keyKeptForMs = 24 * 3_600_000

export function shopify(clock: TestClock) {
  const orders = new Map<string, Made & { id: string }>()
  const keys = new Map<string, number>()
  const available = new Map(initialStock.map((count, at) => [`gid://shopify/InventoryItem/${at + 1}`, count]))
  const counts = { throttled: 0, creations: 0 }
  const state = { hasUniqueIds: undefined as boolean | undefined, points: maximumAvailable, at: clock.now() }
  const byId = (id: string) => [...orders.values()].find((order) => order.id === id)
  const userErrors = (message: string) => ({ userErrors: [{ message }] })

  /** Fields of the answers by the field of the query. */
  const fields: Record<string, (variables: Variables, query: string) => object | null> = {
    metafieldDefinitions: () => ({
      nodes:
        state.hasUniqueIds === undefined ? [] : [{ capabilities: { uniqueValues: { enabled: state.hasUniqueIds } } }],
    }),
    metafieldDefinitionCreate() {
      if (state.hasUniqueIds !== undefined) return userErrors('Key is in use')
      state.hasUniqueIds = true
      return { userErrors: [] }
    },
    orderByIdentifier: ({ identifier }) => orders.get(identifier.customId.value) ?? null,
    order(found) {
      const order = byId(found.id)
      return order ? { cancelledAt: order.isEnded ? '2026-11-24T08:00:00Z' : null } : null
    },
    orderCreate({ order, options }) {
      const [{ value, type }] = order.metafields
      if (type !== 'id' || options.inventoryBehaviour !== 'BYPASS') return userErrors('Not an order of the bridge')
      if (orders.has(value)) return userErrors('Value is already in use by another order')
      const units: Made['units'] = {}
      let amount = 0
      for (const { variantId, quantity, priceSet } of order.lineItems) {
        const product = variantId.replace('gid://shopify/ProductVariant/', '')
        units[product] = (units[product] ?? 0) + quantity
        amount += minor(priceSet.shopMoney.amount) * quantity
      }
      if (amount !== minor(order.transactions?.[0].amountSet.shopMoney.amount ?? '0')) {
        return userErrors('Not paid in full')
      }
      counts.creations += 1
      const id = `gid://shopify/Order/${counts.creations}`
      orders.set(value, { id, amount, isEnded: false, units })
      return { order: { id }, userErrors: [] }
    },
    orderCancel({ orderId }, query) {
      const found = byId(orderId)
      if (!query.includes('restock: false') || !found || found.isEnded) {
        return { orderCancelUserErrors: [{ message: 'Order has already been cancelled, or would return its units' }] }
      }
      clock.later(1500, () => {
        found.isEnded = true
      })
      return { orderCancelUserErrors: [] }
    },
    inventoryAdjustQuantities({ input, key }, query) {
      // Mandatory since 2026-04, as is an explicit changeFromQuantity.
      if (!query.includes('@idempotent(key: $key)')) return userErrors('No idempotency key')
      const isKnown = clock.now() - (keys.get(key) ?? Number.NEGATIVE_INFINITY) < keyKeptForMs
      if (isKnown) return { userErrors: [] }
      for (const { inventoryItemId, locationId, delta, changeFromQuantity } of input.changes) {
        const before = available.get(inventoryItemId)
        if (before === undefined || changeFromQuantity !== null || !locationId) return userErrors('No such item')
        available.set(inventoryItemId, before + delta)
      }
      keys.set(key, clock.now())
      return { userErrors: [] }
    },
  }

  /** Takes the points of a call from the leaky bucket, and returns what Shopify says of it. */
  function throttle(cost: number) {
    const now = clock.now()
    state.points = Math.min(maximumAvailable, state.points + ((now - state.at) / 1000) * restoreRate)
    state.at = now
    const isThrottled = state.points < cost
    if (isThrottled) counts.throttled += 1
    else state.points -= cost
    const currentlyAvailable = Math.max(0, Math.floor(state.points))
    return {
      isThrottled,
      extensions: { cost: { throttleStatus: { maximumAvailable, currentlyAvailable, restoreRate } } },
    }
  }

  return {
    ...{ counts, state },
    busy: { status: 503, body: {} },
    answer({ method, path, body, headers }: Call): Answer {
      if (method !== 'POST' || path !== '/admin/api/2026-10/graphql.json') return { status: 404, body: {} }
      if (headers['x-shopify-access-token'] !== 'shop-token') return { status: 401, body: {} }
      const { query, variables } = JSON.parse(body) as { query: string; variables: Variables }
      const field = /\{\s*(\w+)/.exec(query)?.[1] ?? ''
      const cost = query.startsWith('mutation') ? 10 : field === 'metafieldDefinitions' ? 5 : 1
      const { isThrottled, extensions } = throttle(cost)
      if (isThrottled) {
        const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }]
        return { status: 200, body: { errors, extensions } }
      }
      return { status: 200, body: { data: { [field]: fields[field]?.(variables, query) }, extensions } }
    },
    made: () => Object.fromEntries([...orders].map(([sluiceId, { id: _, ...order }]) => [sluiceId, order])),
    left: () => [...available.values()],
    /** Another program of the same app uses the points of the bucket, and those of the next ten seconds. */
    drain: () => {
      state.points = -1000
      state.at = clock.now()
    },
  } satisfies Shop & Record<string, unknown>
}

type Meta = { key: string; value: string }
type WooLine = { product_id: number; variation_id?: number; quantity: number; total: string; meta_data: Meta[] }
type WooOrder = { id: number; status: string; line_items: WooLine[]; meta_data: [Meta, ...Meta[]] }
type Product = { id: number; manage_stock: boolean; stock_quantity: number; meta_data: Meta[] }

/** A product, and two variations of another. */
const productPaths = ['products/1', 'products/7/variations/2', 'products/7/variations/3']

export function wooCommerce() {
  const orders = new Map<string, WooOrder>()
  const products = new Map<string, Product>(
    productPaths.map((path, at) => {
      return [path, { id: at + 1, manage_stock: true, stock_quantity: initialStock[at] ?? 0, meta_data: [] }]
    }),
  )
  let lastId = 100
  const productOf = ({ product_id, variation_id }: WooLine) =>
    products.get(variation_id ? `products/${product_id}/variations/${variation_id}` : `products/${product_id}`)

  /** Moves the stock as wc_reduce_stock_levels() and wc_increase_stock_levels() do, by the mark of each line. */
  function setStatus(order: WooOrder, status: string): void {
    order.status = status
    for (const line of order.line_items) {
      const product = productOf(line)
      const isMarked = line.meta_data.some(({ key }) => key === '_reduced_stock')
      if (product && status === 'processing' && !isMarked) product.stock_quantity -= line.quantity
      if (product && ['cancelled', 'pending'].includes(status) && isMarked) product.stock_quantity += line.quantity
    }
  }

  const authorization = `Basic ${Buffer.from('ck_shop:cs_shop').toString('base64')}`
  const listed = () => [...orders.values()].filter(({ status }) => status !== 'checkout-draft')
  return {
    busy: { status: 429, headers: { 'retry-after': '2' }, body: {} },
    answer({ method, path, body, headers }: Call): Answer {
      if (headers.authorization !== authorization) return { status: 401, body: {} }
      const what = new URL(path, 'http://shop').pathname.replace('/wp-json/wc/v3/', '')
      const sent = body === '' ? {} : JSON.parse(body)
      if (what === 'orders' && method === 'GET') return { status: 200, body: [] }
      if (what === 'orders') {
        lastId += 1
        const order: WooOrder = { ...sent, id: lastId }
        orders.set(`orders/${order.id}`, order)
        setStatus(order, sent.status)
        return { status: 201, body: order }
      }
      const order = orders.get(what)
      if (order) {
        if (method === 'PUT') setStatus(order, sent.status)
        return { status: 200, body: order }
      }
      const product = products.get(what)
      if (!product) return { status: 404, body: {} }
      if (method === 'PUT') {
        product.stock_quantity = sent.stock_quantity
        product.meta_data.push(...sent.meta_data)
      }
      return { status: 200, body: product }
    },
    made: () =>
      Object.fromEntries(
        listed().map(({ meta_data: [{ value }], status, line_items: lines }): [string, Made] => {
          const units: Made['units'] = {}
          for (const line of lines) {
            const product = productOf(line)?.id ?? 0
            units[product] = (units[product] ?? 0) + line.quantity
          }
          const amount = lines.reduce((sum, { total }) => sum + minor(total), 0)
          return [value, { amount, isEnded: status !== 'processing', units }]
        }),
      ),
    left: () => [...products.values()].map(({ stock_quantity }) => stock_quantity),
    listed,
    /** WooCommerce does so with drafts of yesterday. */
    deleteDrafts: () => {
      for (const [path, { status }] of orders) if (status === 'checkout-draft') orders.delete(path)
    },
  } satisfies Shop & Record<string, unknown>
}
