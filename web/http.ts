/** Calls the shop from a page: JSON, the session cookie and a deadline. Refusals are values, not exceptions. */
import { type Fetch, type Reply, type ShopRequest, send } from '../client/http.ts'

export type CallOptions = Omit<ShopRequest, 'signal'> & { deadlineMs?: number }

export const call = (fetch: Fetch, path: string, { deadlineMs = 8000, ...sent }: CallOptions = {}): Promise<Reply> =>
  send(fetch, path, { ...sent, signal: AbortSignal.timeout(deadlineMs) })
