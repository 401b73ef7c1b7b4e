/** `claim` wired to memory, and what it told the gate. */
import type { ClaimMessage } from '../../../core/claim.ts'
import type { Sale } from '../../../core/sale.ts'
import { rememberOffers } from '../../../functions/adapters/offers.memory.ts'
import type { Ports } from '../../../functions/claim/claim.ts'
import type { AdmissionDesk } from '../../../functions/promise/tell-gate.ts'
import { type MemoryPackets, memoryPackets } from '../../contract/fakes/packets.ts'
import { type MemoryQueue, memoryQueue } from '../../contract/fakes/queue.ts'
import { type MemorySales, memorySaleBook } from '../../contract/fakes/sale-book.ts'
import { type TestTelemetry, testTelemetry } from '../support.ts'

export type ClaimRig = {
  ports: Ports
  packets: MemoryPackets
  queue: MemoryQueue<ClaimMessage>
  sales: MemorySales
  telemetry: TestTelemetry
  /** The revisions of the stock as of which the gate was told that nothing is left. */
  raised: number[]
  redeemed: Parameters<AdmissionDesk['redeem']>[]
  clock: { now: number }
  /** Puts a sale of red packets into the table and on the shelf. */
  open: (sale: Sale, amounts: readonly number[]) => Promise<void>
}

export function claimRig(): ClaimRig {
  const packets = memoryPackets()
  const queue = memoryQueue<ClaimMessage>()
  const sales = memorySaleBook()
  const telemetry = testTelemetry()
  const raised: number[] = []
  const redeemed: ClaimRig['redeemed'] = []
  const clock = { now: 5_000 }
  const ports: Ports = {
    packets,
    outbox: packets,
    queue,
    offers: rememberOffers(sales),
    soldOut: { raise: async (_, restocks) => void raised.push(restocks) },
    admissions: { redeem: async (...told) => void redeemed.push(told) },
    clock: () => clock.now,
    ...telemetry,
  }
  const open = async (sale: Sale, amounts: readonly number[]) => {
    await enter(sales, sale)
    packets.put(sale, amounts)
  }
  return { ports, packets, queue, sales, telemetry, raised, redeemed, clock, open }
}

/** Writes a sale into the book as it is. */
export async function enter(sales: MemorySales, sale: Sale): Promise<void> {
  const audit = { who: 'mia', what: 'create', saleId: sale.saleId, when: 0, requestId: 'r' }
  await sales.create(sale, { ...audit, before: null, after: null })
}
