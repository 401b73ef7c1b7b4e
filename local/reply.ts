/** The answer of a local route, before serialisation. */
import { type ProblemCode, type ProblemFacts, problem } from '../core/outcome.ts'

export type RouteReply = { status: number; body: unknown; headers?: Record<string, string | string[]> }

export function problemReply(code: ProblemCode, detail: string, facts: ProblemFacts = {}): RouteReply {
  const document = problem(code, detail, facts)
  return { status: document.status, body: document, headers: { 'content-type': 'application/problem+json' } }
}
