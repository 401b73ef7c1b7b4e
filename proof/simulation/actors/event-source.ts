/** The event source of a queue: receives messages, invokes the consumer, and deletes the processed ones. */
import type { Environments, Simulation } from '../engine/simulation.ts'
import type { ReceivedMessage, SimulatedQueue } from '../parts/queue.ts'

type Consume<Ports> = (ports: Ports, mail: readonly ReceivedMessage[], deadline: number) => Promise<readonly string[]>

/** The consumer has ten seconds; three are left for its last transaction and its batch report. */
const deadlineMs = 7000

/** Serves `queue` for as long as the simulation runs. */
export async function serveQueue<Ports>(
  simulation: Simulation,
  queue: SimulatedQueue,
  fleet: Environments<Ports>,
  { batchSize, consume }: { batchSize: number; consume: Consume<Ports> },
): Promise<void> {
  const { random, now, perform, sleep } = simulation
  for (;;) {
    await queue.untilVisible()
    await sleep(random.spread(1, 1000))
    const mail = await perform<ReceivedMessage[]>({
      part: 'sqs',
      name: `receive ${queue.name}`,
      run: async () => queue.receive(random.whole(1, batchSize)),
      onNoAnswer: () => [],
      atMostOnce: true,
    })
    if (mail.length === 0) {
      await sleep(random.spread(300, 3000))
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
      onNoAnswer: () => undefined,
    })
  }
}
