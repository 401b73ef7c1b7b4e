/**
 * The only place that reads a path. It matches the bytes as they came: nothing is decoded, folded or
 * normalised, so `%2e`, `//`, upper case and a trailing slash are simply not paths of ours, and what was
 * checked is what is forwarded.
 */
import { parseOrderId, parseSaleId, type SaleId } from '../core/ids.ts'
import { orderActions } from '../core/order-actions.ts'

export type Route =
  | { kind: 'buy'; saleId: SaleId }
  | { kind: 'claim'; saleId: SaleId }
  | { kind: 'challenge'; saleId: SaleId }
  | { kind: 'orders' }
  | { kind: 'order-change' }
  | { kind: 'webhook' }
  | { kind: 'control' }

const salePrefix = '/api/sales/'
/** What may be wanted of a sale, each the last part of a path. */
const ofSale = { orders: 'buy', packets: 'claim', challenge: 'challenge' } as const
const orderPrefix = '/api/orders/'
const changeSuffixes = orderActions.map((action) => `/${action}`)
const webhookPath = '/api/payments/webhook'
/** The longest part of such a path is an order id: 67 characters. */
const controlPath = /^\/api\/control(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,66}){1,4}$/
/** What may be shut out: a shopper id, which may hold more, or a range of addresses. */
const blockPath =
  /^\/api\/control\/blocklist\/(?:shopper\/(?!\.\.?$)[A-Za-z0-9_.@|:+-]{1,128}|ip\/[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}(?:\/\d{1,3})?)$/

const orders: Route = { kind: 'orders' }
const orderChange: Route = { kind: 'order-change' }
const webhook: Route = { kind: 'webhook' }
const control: Route = { kind: 'control' }

/** The route of a raw path, or undefined when it is none of ours. */
export function routeOf(uri: string): Route | undefined {
  if (uri.startsWith(salePrefix)) return saleRoute(uri.slice(salePrefix.length))
  if (uri === '/api/orders' || uri === '/api/wallet') return orders
  if (uri.startsWith(orderPrefix)) return orderRoute(uri.slice(orderPrefix.length))
  if (uri === webhookPath) return webhook
  return controlPath.test(uri) || blockPath.test(uri) ? control : undefined
}

/** `path` is a sale id with what is wanted of the sale. */
function saleRoute(path: string): Route | undefined {
  const end = path.lastIndexOf('/')
  const wanted = path.slice(end + 1)
  if (wanted !== 'orders' && wanted !== 'packets' && wanted !== 'challenge') return undefined
  const saleId = parseSaleId(path.slice(0, Math.max(end, 0)))
  return saleId === undefined ? undefined : { kind: ofSale[wanted], saleId }
}

/** `path` is an order id, or one with what to do to it. */
function orderRoute(path: string): Route | undefined {
  const suffix = changeSuffixes.find((end) => path.endsWith(end))
  const id = suffix === undefined ? path : path.slice(0, -suffix.length)
  if (parseOrderId(id) === undefined) return undefined
  return suffix === undefined ? orders : orderChange
}

export const methodsOf: Readonly<Record<Route['kind'], readonly string[]>> = {
  buy: ['POST'],
  claim: ['POST'],
  challenge: ['POST'],
  orders: ['GET'],
  'order-change': ['POST'],
  webhook: ['POST'],
  control: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
}
