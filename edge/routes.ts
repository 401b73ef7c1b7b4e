/**
 * The only place that reads a path. It matches the bytes as they came: nothing is decoded, folded or
 * normalised, so `%2e`, `//`, upper case and a trailing slash are simply not paths of ours, and what was
 * checked is what is forwarded.
 */
import { parseOrderId, parseSaleId, type SaleId } from '../core/ids.ts'

export type Route =
  | { kind: 'time' }
  | { kind: 'buy'; saleId: SaleId }
  | { kind: 'orders' }
  | { kind: 'control' }

const buyPrefix = '/api/sales/'
const buySuffix = '/orders'
const orderPrefix = '/api/orders/'
const controlPath = /^\/api\/control(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}){1,4}$/

const time: Route = { kind: 'time' }
const orders: Route = { kind: 'orders' }
const control: Route = { kind: 'control' }

/** The route of a raw path, or undefined when it is none of ours. */
export function routeOf(uri: string): Route | undefined {
  if (uri.startsWith(buyPrefix) && uri.endsWith(buySuffix)) {
    const saleId = parseSaleId(uri.slice(buyPrefix.length, -buySuffix.length))
    return saleId === undefined ? undefined : { kind: 'buy', saleId }
  }
  if (uri === '/api/time') return time
  if (uri === '/api/orders') return orders
  if (uri.startsWith(orderPrefix)) {
    return parseOrderId(uri.slice(orderPrefix.length)) === undefined ? undefined : orders
  }
  return controlPath.test(uri) ? control : undefined
}

export const methodsOf: Readonly<Record<Route['kind'], readonly string[]>> = {
  time: ['GET'],
  buy: ['POST'],
  orders: ['GET'],
  control: ['GET', 'POST', 'PATCH', 'DELETE'],
}
