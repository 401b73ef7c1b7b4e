/** Requests over HTTP as a client sees them: an answer, or none, and then nobody knows what was done. */
import { problem } from '../core/outcome.ts'
import { type HttpAnswer, problemAnswer } from '../functions/lib/http/answer.ts'
import type { Fleet } from './engine/fleet.ts'
import type { Simulation } from './engine/simulation.ts'

/**
 * The answer of one request to a function, undefined when it was lost. `answered` hears of every answer the function
 * gave, also of one that got lost on its way. What a function throws is told as 503, as its shell does.
 */
export async function ask<Ports>(
  simulation: Simulation,
  fleet: Fleet<Ports>,
  respond: (ports: Ports) => Promise<HttpAnswer>,
  answered: (answer: HttpAnswer) => void = () => undefined,
): Promise<HttpAnswer | undefined> {
  const invoked = await fleet.run(respond)
  if (invoked.kind === 'died') return undefined
  const answer =
    invoked.kind === 'answered' ? invoked.value : problemAnswer(problem('unavailable', 'Try again.'))
  answered(answer)
  return simulation.perform<HttpAnswer | undefined>({
    part: 'wire',
    name: 'answer',
    run: async () => answer,
    unanswered: () => undefined,
    alone: true,
  })
}

/** A member of an answer's JSON body, undefined when it is not there. */
export function member(answer: HttpAnswer, name: string): unknown {
  const body: unknown = JSON.parse(answer.body)
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}
