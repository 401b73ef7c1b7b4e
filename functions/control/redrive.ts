/** The port to the dead letters of all queues. */
import type { Redriven } from '../../core/api/control-answers.ts'
import type { BeforeRedrive } from '../lib/shop/queues.ts'

export type Redrive = {
  /**
   * Sends dead letters to their queues again, until none of those that were there is left or
   * `deadline` (epoch ms) has come.
   * @throws when SQS does not answer; what was moved stays moved
   */
  redrive: (deadline: number, before: BeforeRedrive) => Promise<Redriven>
}

/** How long a marketer waits for it, in a function that has thirty seconds. */
export const redrivePatienceMs = 20_000
