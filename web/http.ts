/** One way to call the shop: JSON in and out, the cookie session, a deadline, and no exception for an answer. */
import { type Reply as Answered, type Sent, send } from '../client/http.ts'
import { fieldsInText, type ProblemSeen, readProblem } from './wire.ts'

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>
export type Request = Omit<Sent, 'signal'> & { deadlineMs?: number }
export type Reply = Answered<ProblemSeen>

export const call = (fetch: Fetch, path: string, { deadlineMs = 8000, ...request }: Request = {}): Promise<Reply> =>
  send(fetch, path, { ...request, signal: AbortSignal.timeout(deadlineMs) }, (text) => readProblem(fieldsInText(text)))
