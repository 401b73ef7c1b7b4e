/** The messages between the measurement and the process that calls a handler. */
import * as z from 'zod/mini'

export const wanted = z.object({ orders: z.number() })

/** Processor time of an order, µs. */
export const invoked = z.object({ us: z.number() })

export type InvokedClicks = z.infer<typeof invoked>

/** The parts of a function URL's event that handlers read. */
export type ClickEvent = {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
  requestContext: { http: { method: string } }
}
