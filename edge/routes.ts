/**
 * The paths of the gate. A path is matched as the bytes that came: it is not decoded, folded or
 * normalised, so `%2e`, `//`, upper case and a trailing slash do not match, and what was checked is
 * what is forwarded. The CloudFront Function before the gate is generated from the same table
 * (pre-gate.ts).
 */
import {
  maxChallengeBytes,
  maxClickBytes,
  maxControlBodyBytes,
  maxDeliveryBytes,
  maxOrderRequestBytes,
  maxRedeemBytes,
  maxUnsubscribeBytes,
  maxWebhookBytes,
} from '../core/body-limits.ts'
import { idShapes, parseSaleId, type SaleId } from '../core/ids.ts'
import { orderActions } from '../core/orders/order-actions.ts'
import { signInRoute } from '../core/people/sign-in-paths.ts'
import { unsubscribeRoute } from '../core/people/unsubscribe-path.ts'

/**
 * A sale's paths have the sale id as their first group. A route with `needsSession` refuses
 * requests without a token.
 */
type Route = {
  readonly path: RegExp
  readonly methods: readonly string[]
  readonly maxBytes: number
  readonly needsSession: boolean
}

const route = (shape: string, methods: readonly string[], maxBytes: number, needsSession = true): Route => ({
  path: new RegExp(`^${shape}$`),
  methods,
  maxBytes,
  needsSession,
})

const salePath = (last: string) => `/api/sales/(${idShapes.sale})/${last}`
/** The longest part of a control path is an order id: 67 characters. */
const controlPart = '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,66}'
const addressRange = '[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}(?:/[0-9]{1,3})?'
/**
 * What a block shuts out may hold more characters than other parts: a shopper id, or a range of
 * addresses.
 */
const blockPath = `/blocklist/(?:shopper/${idShapes.shopper}|ip/${addressRange})`

export const routes = {
  buy: route(salePath('orders'), ['POST'], maxClickBytes),
  claim: route(salePath('packets'), ['POST'], maxClickBytes),
  challenge: route(salePath('challenge'), ['POST'], maxChallengeBytes),
  pass: route('/api/pass', ['GET'], 0),
  orders: route(`/api/(?:wallet|orders(?:/${idShapes.order})?)`, ['GET'], 0),
  'order-change': route(
    `/api/(?:wallet/payouts|orders/${idShapes.order}/(?:${orderActions.join('|')}))`,
    ['POST'],
    maxOrderRequestBytes,
  ),
  delivery: route(
    `/api/(?:contact|orders/${idShapes.order}/delivery)`,
    ['GET', 'PUT', 'DELETE'],
    maxDeliveryBytes,
  ),
  'sign-in': route(`${signInRoute}(?:/callback)?`, ['GET'], 0, false),
  session: route(`${signInRoute}/(?:refresh|end)`, ['POST'], maxOrderRequestBytes, false),
  unsubscribe: route(unsubscribeRoute, ['GET', 'POST'], maxUnsubscribeBytes, false),
  webhook: route('/api/payments/webhook', ['POST'], maxWebhookBytes, false),
  /** Within the paths of `control`, so this comes first. The key of a shop is its bearer token. */
  redeem: route(`/api/control/coupons/${controlPart}/(?:redeem|undo)`, ['POST'], maxRedeemBytes),
  control: route(
    `/api/control(?:(?:/${controlPart}){1,4}|${blockPath})`,
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxControlBodyBytes,
  ),
} as const satisfies Record<string, Route>

export type RouteKind = keyof typeof routes

const routeKinds = Object.keys(routes) as RouteKind[]

/**
 * The route of a raw path, and the sale that the path names; undefined when the gate does not serve
 * the path.
 */
export function routeOf(uri: string): { kind: RouteKind; saleId: SaleId | undefined } | undefined {
  for (const kind of routeKinds) {
    const match = routes[kind].path.exec(uri)
    if (match !== null) return { kind, saleId: parseSaleId(match[1]) }
  }
  return undefined
}
