/** HTTP requests as a client sees them: without an answer, it is unknown what was done. */
import { problem } from '../../core/outcome.ts'
import { type HttpAnswer, problemAnswer } from '../../functions/lib/http/answer.ts'
import type { Environments } from './engine/environments.ts'
import type { Simulation } from './engine/simulation.ts'

/**
 * Sends one request to a function; undefined when the answer was lost. `onAnswer` receives every
 * answer the function gave, including lost ones. An error becomes a 503, as in the real handler.
 */
export async function sendRequest<Ports>(
  simulation: Simulation,
  fleet: Environments<Ports>,
  respond: (ports: Ports) => Promise<HttpAnswer>,
  onAnswer: (answer: HttpAnswer) => void = () => undefined,
): Promise<HttpAnswer | undefined> {
  const invoked = await fleet.run(respond)
  if (invoked.kind === 'died') return undefined
  const answer = invoked.kind === 'answered' ? invoked.value : problemAnswer(problem('unavailable', 'Try again.'))
  onAnswer(answer)
  return simulation.perform<HttpAnswer | undefined>({
    part: 'wire',
    name: 'answer',
    run: async () => answer,
    unanswered: () => undefined,
    alone: true,
  })
}

/** A member of the answer's JSON body, undefined when absent. */
export function member(answer: HttpAnswer, name: string): unknown {
  const body: unknown = JSON.parse(answer.body)
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}
