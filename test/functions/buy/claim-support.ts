/** `claim` on a real Redis, and what it reported to the gate. */

import type { SaleId } from '../../../core/ids.ts'
import type { ClaimMessage } from '../../../core/packets/claim.ts'
import type { ClaimPorts } from '../../../functions/buy/claim.ts'
import type { AdmissionCompleter } from '../../../functions/lib/acknowledge.ts'
import type { Commander } from '../../../redis/command.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { pendingClaimPages } from '../../../redis/packets/stored-claims.ts'
import { type MemoryQueue, memoryQueue } from '../../contract/fakes/queue.ts'
import { raw } from '../../redis/support.ts'
import { type TestStore, testStore } from '../../redis/test-store.ts'
import { type TestTelemetry, testTelemetry } from '../../world/telemetry.ts'

export type ClaimRig = {
  ports: ClaimPorts
  stock: TestStore
  queue: MemoryQueue<ClaimMessage>
  telemetry: TestTelemetry
  /** The stock revisions published to the gate as sold out. */
  published: number[]
  completed: Parameters<AdmissionCompleter['complete']>[]
  /** The outcomes that were counted, one after the other. */
  demanded: string[]
  clock: { now: number }
  /** Claims in the outbox. */
  waiting: (saleId: SaleId) => Promise<ClaimMessage[]>
  /** How many shoppers have a packet. */
  claimed: (saleId: SaleId) => Promise<number>
}

export function claimRig(redis: Commander): ClaimRig {
  const stock = testStore(redis)
  const queue = memoryQueue<ClaimMessage>()
  const telemetry = testTelemetry()
  const published: number[] = []
  const completed: ClaimRig['completed'] = []
  const demanded: string[] = []
  const clock = { now: 5_000 }
  const ports: ClaimPorts = {
    stock,
    queue,
    soldOut: { publish: async (_, stockRevision) => void published.push(stockRevision) },
    admissions: { complete: async (...completion) => void completed.push(completion) },
    demand: { count: (_, outcome) => void demanded.push(outcome) },
    clock: () => clock.now,
    ...telemetry,
  }
  return {
    ...{ ports, stock, queue, telemetry, published, completed, demanded, clock },
    async waiting(saleId) {
      const found: ClaimMessage[] = []
      for await (const page of pendingClaimPages(redis, saleId, 100)) found.push(...page)
      return found
    },
    claimed: async (saleId) => Number(await raw(redis, 'HLEN', stockKeys(saleId).claims)),
  }
}
