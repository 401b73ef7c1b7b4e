/**
 * The CORS headers that let pages of other sites call the API (https://fetch.spec.whatwg.org/#http-cors-protocol). Every
 * origin gets the same answer, so no cache needs `Vary: Origin`; the gate decides which pages may sell a sale. Credentials
 * are not allowed, so such a page cannot act with a shopper's cookies.
 */
import { passHeader } from './pass.ts'

/**
 * The header with the shop's time, epoch ms, so that pages need no extra request for it. `edge/clock.js` adds it to the
 * pointer, and functions add it to successful answers.
 */
export const clockHeader = 'x-sluice-now'

export const corsMethods = ['GET', 'POST'] as const

/** Request headers that are not safelisted. `*` would not include `authorization`. */
export const corsRequestHeaders = ['authorization', 'content-type', 'idempotency-key', passHeader] as const

/** Response headers that the client (`client/`) reads. */
export const corsExposedHeaders = ['retry-after', 'x-sluice-gate', 'x-request-id', clockHeader, passHeader] as const

/** A day, s. Chromium caches it for at most two hours, Firefox for a day. */
export const corsMaxAgeSeconds = 86_400
