/**
 * The headers by which pages of other sites may call the API and read its answers (https://fetch.spec.whatwg.org/#http-cors-protocol).
 * Every origin gets the same answer, so no cache needs `Vary: Origin`; which pages may sell a sale, the gate decides.
 * Credentials are not allowed, so browsers send no cookie of the shop and no cookie can act for such a page.
 */
import { passHeader } from './pass.ts'

/**
 * The header in which an answer carries the shop's time, epoch ms: answers of the pointer, added by `edge/clock.js`,
 * and answers of functions that are no problems. So a page needs no request of its own for the time.
 */
export const clockHeader = 'x-sluice-now'

export const corsMethods = ['GET', 'POST'] as const

/** Headers of a request that are not safelisted; `*` would not include `authorization`. */
export const corsRequestHeaders = ['authorization', 'content-type', 'idempotency-key', passHeader] as const

/** Headers of an answer that the client (`client/`) reads. */
export const corsExposedHeaders = ['retry-after', 'x-sluice-gate', 'x-request-id', clockHeader, passHeader] as const

/** A day, s. Chromium keeps it for two hours at most, Firefox for a day. */
export const corsMaxAgeSeconds = 86_400
