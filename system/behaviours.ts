/**
 * Which origin serves which path: the distribution's behaviours, first match first, in CloudFront's patterns (`*` stands for
 * any characters, also slashes). What is not listed here is a page or an asset of the site.
 */
import type { HttpFunction } from './functions.ts'

/**
 * What no function serves, such as a sale's challenge, is answered by the edge function and never gets past it.
 */
export const apiBehaviours: readonly { pattern: string; origin: HttpFunction }[] = [
  { pattern: '/api/sales/*/packets', origin: 'claim' },
  { pattern: '/api/sales/*', origin: 'reserve' },
  { pattern: '/api/wallet', origin: 'wallet' },
  { pattern: '/api/payments/*', origin: 'payments' },
  { pattern: '/api/control/*', origin: 'control' },
  // Paying and cancelling, which no flood of look-ups may starve.
  { pattern: '/api/orders/*/*', origin: 'order-changes' },
  { pattern: '/api/*', origin: 'orders' },
]

/** Asked by every waiting page every few seconds (C6). */
export const pointerPattern = '/sales/*/current.json'

/**
 * What pages and scripts ask for and no person does. Nothing runs when the bucket has answered, so the first look at a new
 * countdown, at the flip, waits for no function to start.
 */
export const partPatterns = [pointerPattern, '/sales/*/countdown.*.js', '/assets/*'] as const

/** Served by whoever signs shoppers in. */
export const signInPattern = '/sign-in/*'
