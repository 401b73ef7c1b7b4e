/** The event source of a queue: receives, invokes the consumer, and deletes what that has done. */
import type { Fleet } from '../engine/fleet.ts'
import type { Simulation } from '../engine/simulation.ts'
import type { Received, SimulatedQueue } from '../parts/queue.ts'

type Consume<Ports> = (
  ports: Ports,
  mail: readonly Received[],
  deadline: number,
) => Promise<readonly string[]>

/** What the consumer's last transaction and its report may need, of the ten seconds it has. */
const deadlineMs = 7000

/** Serves `queue` for as long as the simulation runs. */
export async function serveQueue<Ports>(
  simulation: Simulation,
  queue: SimulatedQueue,
  fleet: Fleet<Ports>,
  batchSize: number,
  consume: Consume<Ports>,
): Promise<void> {
  const { dice, now, perform, sleep } = simulation
  for (;;) {
    await queue.untilVisible()
    await sleep(dice.spread(1, 1000))
    const mail = await perform<Received[]>({
      part: 'sqs',
      name: `receive ${queue.name}`,
      run: async () => queue.receive(dice.whole(1, batchSize)),
      unanswered: () => [],
      alone: true,
    })
    if (mail.length === 0) {
      await sleep(dice.spread(300, 3000))
      continue
    }
    const outcome = await fleet.run((ports) => consume(ports, mail, now() + deadlineMs))
    if (outcome.kind !== 'answered') continue
    const failed = new Set(outcome.value)
    const handles = mail.filter(({ messageId }) => !failed.has(messageId)).map(({ handle }) => handle)
    if (handles.length === 0) continue
    await perform<void>({
      part: 'sqs',
      name: `delete ${queue.name}`,
      run: async () => queue.remove(handles),
      unanswered: () => undefined,
    })
  }
}
