/**
 * The distribution's behaviours: path patterns of CloudFront, first match first (`*` matches any
 * characters, also slashes). Other paths are pages or assets of the site.
 */
import type { ControlRoute } from '../core/api/control-route.ts'
import { widgetPage } from '../core/gate/challenge.ts'
import { optionPaths, optionRoutes } from '../core/options.ts'
import type { HttpFunction } from './functions.ts'

/** `open`: pages of other sites may read the answers (core/gate/cors.ts); the pre-gate decides which calls they may make. */
type Behaviour = { pattern: string; origin: HttpFunction; open?: true }

/** Returns the behaviours of `delivery`. A parameter matches any text, so a shorter path covers those below it. */
const patternsOf = (paths: readonly string[]) => {
  const all = [...new Set(paths.map((path) => path.replace(/:\w+/g, '*')))]
  return all
    .filter((one) => !all.some((other) => other !== one && other.endsWith('*') && one.startsWith(other.slice(0, -1))))
    .map((pattern): Behaviour => ({ pattern, origin: 'delivery' }))
}

const staffPaths = Object.values<ControlRoute>(optionRoutes).map(({ path }) => path)

/** The gate itself answers paths without a function, such as a sale's challenge. */
export const apiBehaviours: readonly Behaviour[] = [
  { pattern: '/api/sales/*', origin: 'reserve', open: true },
  { pattern: '/api/wallet', origin: 'wallet', open: true },
  { pattern: '/api/wallet/*', origin: 'order-changes' },
  // A held read occupies an environment, and must take none of those that answer at once.
  { pattern: '/api/changes', origin: 'held-reads', open: true },
  { pattern: '/api/credit', origin: 'held-reads', open: true },
  { pattern: '/api/payments/*', origin: 'payments' },
  // Calls that show personal data: only this function has the keys.
  { pattern: '/api/control/orders', origin: 'delivery' },
  { pattern: '/api/control/orders/find', origin: 'delivery' },
  { pattern: '/api/control/people/*', origin: 'delivery' },
  { pattern: '/api/control/sales/*/orders.csv', origin: 'delivery' },
  ...patternsOf(staffPaths),
  // Only this function reads untrusted files, so it has no other permissions.
  { pattern: '/api/control/pictures*', origin: 'pictures' },
  // Redeeming a coupon is a step of its order.
  { pattern: '/api/control/coupons/*', origin: 'order-changes' },
  // A shop that takes the money itself reports payments as a payment provider does.
  { pattern: '/api/control/reservations/*', origin: 'payments' },
  { pattern: '/api/control/*', origin: 'control' },
  { pattern: '/api/sign-in*', origin: 'sign-in' },
  { pattern: '/api/orders/*/delivery', origin: 'delivery' },
  ...patternsOf(optionPaths),
  { pattern: '/api/contact', origin: 'delivery' },
  { pattern: '/api/me', origin: 'delivery' },
  { pattern: '/api/unsubscribe', origin: 'delivery' },
  // Payments and cancellations: a flood of reads must not starve them.
  { pattern: '/api/orders/*/*', origin: 'order-changes', open: true },
  { pattern: '/api/*', origin: 'orders', open: true },
]

/** Polled by every open page of a sale, as often as `core/sale/pointer-poll.ts` says (C6). */
export const pointerPattern = '/sales/*/current.json'

/**
 * Objects that pages of other sites read besides the pointer: the countdowns of sales, and the script with the elements under
 * its stable name and the one with its hash, and its words.
 */
export const openPatterns = ['/sales/*/countdown.*.json', '/elements.js', '/assets/elements*'] as const

/** The console, which may send pictures to the bucket of uploads. */
export const consolePattern = '/console/*'

/** Pages with a widget of another site, which have a policy of their own. */
export const widgetPattern = `${widgetPage}*`

/** Pages and API of the simulated payment provider, on the stages that have it. */
export const simulatorPattern = '/pay/*'
