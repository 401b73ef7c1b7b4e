/**
 * The distribution's behaviours: path patterns of CloudFront, first match first (`*` matches any
 * characters, also slashes). Other paths are pages or assets of the site.
 */
import type { ControlRoute } from '../core/api/control-route.ts'
import { widgetPage } from '../core/gate/challenge.ts'
import { optionPaths, optionRoutes } from '../core/options.ts'
import type { HttpFunction } from './functions.ts'

/** `open`: pages of other sites may read the answers (core/gate/cors.ts); the pre-gate says which calls they may make. */
type Behaviour = { pattern: string; origin: HttpFunction; open?: true }

/** The paths of calls that `delivery` answers. A parameter stands for any text, so a shorter path covers those below it. */
const patternsOf = (paths: readonly string[]) => {
  const all = [...new Set(paths.map((path) => path.replace(/:\w+/g, '*')))]
  return all
    .filter((one) => !all.some((other) => other !== one && other.endsWith('*') && one.startsWith(other.slice(0, -1))))
    .map((pattern): Behaviour => ({ pattern, origin: 'delivery' }))
}

const staffPaths = Object.values<ControlRoute>(optionRoutes).map(({ path }) => path)

/** The gate answers paths without a function, such as a sale's challenge, by itself. */
export const apiBehaviours: readonly Behaviour[] = [
  { pattern: '/api/sales/*', origin: 'reserve', open: true },
  { pattern: '/api/wallet', origin: 'wallet', open: true },
  { pattern: '/api/wallet/*', origin: 'order-changes' },
  // A read that waits keeps an environment, and must take none of those that answer at once.
  { pattern: '/api/changes', origin: 'held-reads', open: true },
  { pattern: '/api/credit', origin: 'held-reads', open: true },
  { pattern: '/api/payments/*', origin: 'payments' },
  // Those that show personal data: their function alone has its keys.
  { pattern: '/api/control/orders', origin: 'delivery' },
  { pattern: '/api/control/orders/find', origin: 'delivery' },
  { pattern: '/api/control/people/*', origin: 'delivery' },
  { pattern: '/api/control/sales/*/orders.csv', origin: 'delivery' },
  ...patternsOf(staffPaths),
  // It alone reads files of strangers, so it has no other rights.
  { pattern: '/api/control/pictures*', origin: 'pictures' },
  // Coupons are redeemed by a step of their order.
  { pattern: '/api/control/coupons/*', origin: 'order-changes' },
  // A shop that takes the money reports it as a payment provider does.
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
 * What pages of other sites read besides the pointer: the countdowns of sales, and the script with the elements under
 * its stable name and the one with its hash, and its words.
 */
export const openPatterns = ['/sales/*/countdown.*.json', '/elements.js', '/assets/elements*'] as const

/** The console, which may send pictures to the bucket of uploads. */
export const consolePattern = '/console/*'

/** Pages with a widget of another site, which have a policy of their own. */
export const widgetPattern = `${widgetPage}*`

/** Pages and API of the simulated payment provider, on the stages that have it. */
export const simulatorPattern = '/pay/*'
