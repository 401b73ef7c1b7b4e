/** `claim` wired to memory, and what it told the gate. */
import type { ClaimMessage } from '../../../core/claim.ts'
import type { Ports } from '../../../functions/buy/claim.ts'
import type { AdmissionCompleter } from '../../../functions/buy/complete-admission.ts'
import { type TestTelemetry, testTelemetry } from '../../../simulation/memory/support.ts'
import { type MemoryPackets, memoryPackets } from '../../contract/fakes/packets.ts'
import { type MemoryQueue, memoryQueue } from '../../contract/fakes/queue.ts'

export type ClaimRig = {
  ports: Ports
  packets: MemoryPackets
  queue: MemoryQueue<ClaimMessage>
  telemetry: TestTelemetry
  /** The revisions of the stock as of which the gate was told that nothing is left. */
  published: number[]
  completed: Parameters<AdmissionCompleter['completeAdmissions']>[]
  clock: { now: number }
}

export function claimRig(): ClaimRig {
  const packets = memoryPackets()
  const queue = memoryQueue<ClaimMessage>()
  const telemetry = testTelemetry()
  const published: number[] = []
  const completed: ClaimRig['completed'] = []
  const clock = { now: 5_000 }
  const ports: Ports = {
    packets,
    outbox: packets,
    queue,
    soldOut: { publish: async (_, stockRevision) => void published.push(stockRevision) },
    admissions: { completeAdmissions: async (...told) => void completed.push(told) },
    clock: () => clock.now,
    ...telemetry,
  }
  return { ports, packets, queue, telemetry, published, completed, clock }
}
