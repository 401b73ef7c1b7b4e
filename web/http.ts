/** One way to call the shop: JSON in and out, the cookie session, a deadline, and no exception for an answer. */
import { type Fetch, type Reply, type Sent, send } from '../client/http.ts'

export type CallOptions = Omit<Sent, 'signal'> & { deadlineMs?: number }

export const call = (fetch: Fetch, path: string, { deadlineMs = 8000, ...sent }: CallOptions = {}): Promise<Reply> =>
  send(fetch, path, { ...sent, signal: AbortSignal.timeout(deadlineMs) })
