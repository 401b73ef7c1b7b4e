/**
 * WooCommerce's REST API (wc/v3). It has no idempotency keys and no reliable search, so an order is made in two steps: a
 * draft, whose id is stored, and then its publication under that id, which can be repeated. A draft that was
 * made and forgotten is not in the list of orders, and WooCommerce deletes it after a day.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#orders
 */
import { Busy, decimal, Rejected } from './order.js'
import { createLimit, retryAfterMs, settleMs } from './pace.js'

/** The status of carts in the checkout block; WooCommerce cleans them up daily (src/Blocks/Domain/Services/DraftOrders.php). */
const draft = 'checkout-draft'

/**
 * @param {{ url: string, timeoutSeconds: number }} config
 * @param {string} key consumer key with the right to read and write
 * @param {string} secret
 * @param {import('./pace.js').Clock} clock
 * @returns {import('./order.js').Shop}
 */
export function createWooCommerce({ url, timeoutSeconds }, key, secret, clock) {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
  /** A product is read and then written, so changes of stock go one after the other. */
  const alone = createLimit(1)
  /** What an earlier process has sent may still arrive, and would overwrite what is written before it. */
  let quietFrom = clock.now() + settleMs

  /**
   * @param {string} method @param {string} path @param {object} [body]
   * @returns {Promise<any>} the answer, or `undefined` for 404
   */
  async function call(method, path, body) {
    const response = await fetch(`${url}/wp-json/wc/v3/${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    })
    const { status, headers } = response
    if (status === 429 || status === 503) {
      throw new Busy(`WooCommerce answers ${status}`, retryAfterMs(headers, clock.now()) ?? 10_000)
    }
    if (response.ok) return response.json()
    if (status === 404) return undefined
    const text = `WooCommerce answers ${status} to ${method} ${path}: ${(await response.text()).slice(0, 300)}`
    // Wrong keys are a fault of the whole shop, not of this event.
    throw status < 500 && status !== 401 && status !== 403 ? new Rejected(text) : new Error(text)
  }

  /** @param {string} id @param {string} status */
  const setStatus = (id, status) => call('PUT', `orders/${id}`, { status })

  /** `undefined` when the order is no longer there. @param {string} id @returns {Promise<string | undefined>} */
  const statusOf = async (id) => (await call('GET', `orders/${id}?_fields=id,status`))?.status

  return {
    /** A version that does not know the status answers 400. */
    async prepare() {
      const found = await call('GET', `orders?status=${draft}&per_page=1&_fields=id`)
      if (!found) throw new Rejected(`there is no WooCommerce at ${url}`)
    },

    async create({ orderId, shopperId, currency, lines }, { note, save }) {
      let id = typeof note.draft === 'string' ? note.draft : undefined
      if (id !== undefined) {
        const status = await statusOf(id)
        if (status !== undefined && status !== draft) return id
        if (status === undefined) id = undefined
      }
      if (id === undefined) {
        const made = await call('POST', 'orders', {
          ...{ status: draft, currency, payment_method: 'sluice', payment_method_title: 'Sluice' },
          transaction_id: orderId,
          meta_data: [
            { key: '_sluice_order', value: orderId },
            { key: '_sluice_shopper', value: shopperId },
          ],
          line_items: lines.map(({ product, quantity, unitAmount }) => {
            const total = decimal(quantity * unitAmount, currency)
            return {
              ...{ product_id: product.productId, variation_id: product.variationId, quantity, total },
              subtotal: total,
              // The mark by which WooCommerce knows units that have left the stock already: wc_reduce_stock_levels()
              // skips the line, and wc_increase_stock_levels() returns them when staff cancel the order.
              meta_data: [{ key: '_reduced_stock', value: String(quantity) }],
            }
          }),
        })
        if (!made) throw new Rejected('WooCommerce has no orders')
        id = String(made.id)
        await save({ draft: id })
      }
      if (!(await setStatus(id, 'processing'))) throw new Error(`the draft ${id} is gone`)
      return id
    },

    /** `cancelled` would return the units to the stock of the shop, while Sluice sells them; `refunded` does not. */
    async end(id) {
      const status = await statusOf(id)
      if (status !== undefined && status !== 'refunded' && status !== 'cancelled') await setStatus(id, 'refunded')
    },

    /**
     * The product remembers in its meta data that the change was made, in the same request. An order of the shop
     * between the read and the write, some milliseconds, is overwritten: the API has no relative change.
     */
    async adjust(what, changes) {
      const mark = `_sluice_stock_${what}`
      for (const { product, quantity } of changes) {
        const { productId, variationId } = product
        const path = variationId ? `products/${productId}/variations/${variationId}` : `products/${productId}`
        await alone(async () => {
          await clock.sleep(Math.max(0, quietFrom - clock.now()))
          const found = await call('GET', `${path}?_fields=id,manage_stock,stock_quantity,meta_data`)
          if (!found) throw new Rejected(`WooCommerce has no ${path}`)
          if (found.manage_stock !== true) throw new Rejected(`${path} does not manage its own stock in WooCommerce`)
          if (found.meta_data.some((/** @type {{ key: string }} */ one) => one.key === mark)) return
          const stock_quantity = found.stock_quantity + quantity
          const body = { stock_quantity, meta_data: [{ key: mark, value: String(quantity) }] }
          await call('PUT', path, body).catch((failure) => {
            if (!(failure instanceof Rejected)) quietFrom = clock.now() + settleMs
            throw failure
          })
        })
      }
    },
  }
}
