/**
 * The part of WooCommerce's REST API (wc/v3) that the bridge uses. Statuses change the stock as
 * plugins/woocommerce/includes/wc-stock-functions.php does it.
 */
import { type Answer, type FastClock, type FaultOf, initialStock, type Made, serve, sumUnits } from './emulation.ts'

type Meta = { key: string; value: string }
type Line = { product_id: number; variation_id?: number; quantity: number; total: string; meta_data: Meta[] }
type WooOrder = { id: number; status: string; line_items: Line[]; meta_data: Meta[]; isReduced: boolean }
type Product = { id: number; manage_stock: boolean; stock_quantity: number; meta_data: Meta[] }

/** A product, and two variations of another. */
const paths = ['1', '7/2', '7/3'] as const

export async function startWooCommerce({ clock, faultOf }: { clock: FastClock; faultOf: FaultOf }) {
  const orders = new Map<number, WooOrder>()
  const products = new Map<string, Product>()
  let lastId = 100
  for (const [at, path] of paths.entries()) {
    products.set(path, { id: at + 1, manage_stock: true, stock_quantity: initialStock[at] ?? 0, meta_data: [] })
  }

  const productOf = ({ product_id, variation_id }: Line) =>
    products.get(variation_id ? `${product_id}/${variation_id}` : String(product_id))

  /** wc_reduce_stock_levels(): a line with the mark has left the stock. */
  function reduce(order: WooOrder): void {
    if (order.isReduced) return
    for (const line of order.line_items) {
      const product = productOf(line)
      if (!product?.manage_stock || line.meta_data.some(({ key }) => key === '_reduced_stock')) continue
      product.stock_quantity -= line.quantity
      line.meta_data.push({ key: '_reduced_stock', value: String(line.quantity) })
    }
    order.isReduced = true
  }

  /** wc_increase_stock_levels() */
  function increase(order: WooOrder): void {
    if (!order.isReduced) return
    for (const line of order.line_items) {
      const mark = line.meta_data.find(({ key }) => key === '_reduced_stock')
      const product = productOf(line)
      if (!mark || !product?.manage_stock) continue
      product.stock_quantity += Number(mark.value)
      line.meta_data = line.meta_data.filter((one) => one !== mark)
    }
    order.isReduced = false
  }

  function setStatus(order: WooOrder, status: string): void {
    if (order.status === status) return
    order.status = status
    if (['processing', 'completed', 'on-hold'].includes(status)) reduce(order)
    if (['cancelled', 'pending'].includes(status)) increase(order)
  }

  const busy: Answer = { status: 429, headers: { 'retry-after': '2' }, body: { code: 'too_many_requests' } }
  const missing: Answer = { status: 404, body: { code: 'rest_no_route' } }
  const authorization = `Basic ${Buffer.from('ck_shop:cs_shop').toString('base64')}`

  const server = await serve(clock, faultOf, busy, (method, path, body, headers): Answer => {
    if (headers.authorization !== authorization) return { status: 401, body: {} }
    const { pathname } = new URL(path, 'http://shop')
    const [what, id = '', , variation] = pathname.replace('/wp-json/wc/v3/', '').split('/')
    const wanted = body === '' ? {} : JSON.parse(body)
    if (what === 'orders' && method === 'GET' && id === '') return { status: 200, body: [] }
    if (what === 'orders' && method === 'POST') {
      const unknown = wanted.line_items.some((line: Line) => productOf(line) === undefined)
      if (unknown) return { status: 400, body: { code: 'woocommerce_rest_invalid_product' } }
      lastId += 1
      const order: WooOrder = { ...wanted, id: lastId, status: 'pending', isReduced: false }
      orders.set(order.id, order)
      setStatus(order, wanted.status)
      return { status: 201, body: order }
    }
    if (what === 'orders') {
      const order = orders.get(Number(id))
      if (!order) return missing
      if (method === 'PUT') setStatus(order, wanted.status)
      return { status: 200, body: { id: order.id, status: order.status } }
    }
    const product = products.get(variation ? `${id}/${variation}` : id)
    if (what !== 'products' || !product) return missing
    if (method === 'PUT') {
      product.stock_quantity = wanted.stock_quantity
      product.meta_data.push(...wanted.meta_data)
    }
    return { status: 200, body: product }
  })

  /** Returns the orders that staff see: WooCommerce does not list drafts, and deletes them after a day. */
  const listed = () => [...orders.values()].filter(({ status }) => status !== 'checkout-draft')
  const made = (): Made[] =>
    listed().map(({ meta_data, status, line_items: lines }) => ({
      ...{ id: meta_data[0]?.value ?? '', isEnded: status !== 'processing' },
      amount: lines.reduce((sum, { total }) => sum + Math.round(Number(total) * 100), 0),
      units: sumUnits(lines.map((line) => [String(productOf(line)?.id), line.quantity] as const)),
    }))
  return {
    ...{ ...server, made, listed },
    left: () => [...products.values()].map(({ stock_quantity }) => stock_quantity),
    deleteDrafts: () => {
      for (const [id, { status }] of orders) if (status === 'checkout-draft') orders.delete(id)
    },
  }
}
