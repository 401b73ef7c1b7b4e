/**
 * The routes of the gate, as Hono takes them. A path is matched as the bytes that came: it is not decoded,
 * folded or normalised, so `%2e`, `//`, upper case and a trailing slash do not match, and what was checked is
 * what is forwarded. The CloudFront Function before the gate is generated from the same table (pre-gate.ts).
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
import { idShapes } from '../core/ids.ts'
import { optionPaths } from '../core/options.ts'
import { orderActions } from '../core/orders/order-path.ts'
import { unsubscribeRoute } from '../core/people/mail.ts'
import { customerRoute, signInRoute } from '../core/people/sign-in-paths.ts'

/** A route with `needsSession` refuses requests without a token. */
type Route = {
  readonly paths: readonly string[]
  readonly methods: readonly string[]
  readonly maxBytes: number
  readonly needsSession: boolean
}

const route = (
  paths: string | readonly string[],
  methods: readonly string[],
  maxBytes: number,
  needsSession = true,
): Route => ({ paths: [paths].flat(), methods, maxBytes, needsSession })

const salePath = (last: string) => `/api/sales/:saleId{${idShapes.sale}}/${last}`
const orderPath = `/api/orders/:orderId{${idShapes.order}}`
const controlPath = '/api/control'

/** A slash within a parameter: at a plain one Hono would part the path. */
export const slash = '\\x2f'
/** The longest part of a control path is an order id: 67 characters. */
const controlPart = '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,66}'
/** A code as a person types it may have spaces. */
const couponPart = '(?:%20){0,8}[A-Za-z0-9](?:%20|[A-Za-z0-9_.-]){0,66}'
const addressRange = `[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}(?:${slash}[0-9]{1,3})?`

const addedMethods = [['GET', 'PUT', 'DELETE'], maxDeliveryBytes] as const

export const routes = {
  buy: route(salePath('orders'), ['POST'], maxClickBytes),
  claim: route(salePath('packets'), ['POST'], maxClickBytes),
  challenge: route(salePath('challenge'), ['POST'], maxChallengeBytes),
  pass: route('/api/pass', ['GET'], 0),
  orders: route(['/api/wallet', '/api/credit', '/api/packets', '/api/changes', '/api/orders', orderPath], ['GET'], 0),
  'order-change': route(`${orderPath}/:action{(?:${orderActions.join('|')})}`, ['POST'], maxOrderRequestBytes),
  delivery: route(
    ['/api/contact', '/api/me', `${orderPath}/delivery`, ...optionPaths.filter((path) => !path.includes(':'))],
    ...addedMethods,
  ),
  'of-sale': route(
    optionPaths
      .filter((path) => path.endsWith('/:saleId'))
      .map((path) => path.replace(':saleId', `:saleId{${idShapes.sale}}`)),
    ...addedMethods,
  ),
  'sign-in': route([signInRoute, `${signInRoute}/callback`], ['GET'], 0, false),
  customer: route(customerRoute, ['POST'], 0),
  session: route([`${signInRoute}/refresh`, `${signInRoute}/end`], ['POST'], maxOrderRequestBytes, false),
  unsubscribe: route(unsubscribeRoute, ['GET', 'POST'], maxUnsubscribeBytes, false),
  webhook: route('/api/payments/webhook', ['POST'], maxWebhookBytes, false),
  /** Within the paths of `control`, so this comes first. The key of a shop is its bearer token. */
  redeem: route(
    [
      `${controlPath}/coupons/:code{${couponPart}}/:change{(?:redeem|undo)}`,
      `${controlPath}/reservations/:orderId{${idShapes.order}}/:change{(?:confirm|release)}`,
    ],
    ['POST'],
    maxRedeemBytes,
  ),
  // A blocked shopper id or range of addresses may hold more characters than other parts of a path.
  control: route(
    [
      `${controlPath}/:call{${controlPart}(?:${slash}${controlPart}){0,3}}`,
      `${controlPath}/blocklist/shopper/:shopperId{${idShapes.shopper}}`,
      `${controlPath}/blocklist/ip/:range{${addressRange}}`,
    ],
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxControlBodyBytes,
  ),
} as const satisfies Record<string, Route>

export type RouteKind = keyof typeof routes

export const routeKinds = Object.keys(routes) as RouteKind[]
