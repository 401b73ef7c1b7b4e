/**
 * How a provider talks to the shop: its API, and what its messages say and how they are signed. The
 * payments, the shopper's page and the delivery of messages are the same for all.
 */
import type { IncomingMessage } from 'node:http'
import type { RouteReply } from '../reply.ts'
import type { Report } from './book.ts'

/** A message to the shop; `id` and `body` are the same in every try. */
export type Message = { id: string; body: string; arrived: boolean }

export type Dialect = {
  /** Answers a call of the shop. */
  answer(path: string, request: IncomingMessage): Promise<RouteReply>
  /** What to send for a report; undefined for nothing. */
  compose(report: Report): Message | undefined
  /** The headers that sign `message` at `now`. */
  sign(message: Message, now: Date): Record<string, string>
}

/** All paths of a provider's API begin so. */
export const apiPrefix = '/local/payment/'
