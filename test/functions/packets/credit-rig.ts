/** A consumer of claims wired to memory, and messages for it. */
import { type ClaimMessage, packetIdOf } from '../../../core/claim.ts'
import type { SaleId } from '../../../core/ids.ts'
import { wholeOf } from '../../../core/packets.ts'
import type { Sale } from '../../../core/sale.ts'
import type { QueueMessage } from '../../../functions/lib/queue-message.ts'
import { type CreditPorts, creditWallets } from '../../../functions/packets/credit-wallets.ts'
import type { ClaimName } from '../../../redis/claims.ts'
import type { MemoryClaims } from '../../../simulation/memory/claim-ledger.ts'
import { type MemoryTable, memoryTable } from '../../../simulation/memory/order-table.ts'
import { type TestTelemetry, testTelemetry } from '../../../simulation/memory/support.ts'
import { type MemoryAcknowledgements, memoryAcknowledgements } from '../../contract/fakes/acknowledgements.ts'
import { type MemoryDeadLetters, memoryDeadLetters } from '../../contract/fakes/dead-letters.ts'
import { shopperIdOf } from '../../redis/support.ts'

export type CreditRig = {
  ports: CreditPorts
  table: MemoryTable
  claims: MemoryClaims
  deadLetters: MemoryDeadLetters
  acknowledged: MemoryAcknowledgements<ClaimName>
  telemetry: TestTelemetry
  refreshed: SaleId[]
  pauses: number[]
  /** One invocation, with seven seconds until its deadline. */
  credit: (messages: readonly QueueMessage[]) => Promise<string[]>
  /** What the wallet of a shopper holds, in minor units of all currencies. */
  balance: (shopper: number) => Promise<number>
  /** What was credited according to the cap of the sale. */
  claimed: (sale: Sale) => Promise<number>
}

/** What the handler has left of a function timeout of ten seconds. */
export const budgetMs = 7_000

export async function creditRig(sales: readonly Sale[]): Promise<CreditRig> {
  const table = memoryTable()
  for (const sale of sales) await table.openCap(sale.saleId, sale.stock, budgetOf(sale))
  const { claims } = table
  const deadLetters = memoryDeadLetters()
  const acknowledged = memoryAcknowledgements<ClaimName>()
  const telemetry = testTelemetry()
  const refreshed: CreditRig['refreshed'] = []
  const pauses: number[] = []
  let now = 7_000
  const ports: CreditPorts = {
    ledger: claims,
    deadLetters,
    outbox: acknowledged.outbox,
    admissions: acknowledged.admissions,
    offers: { of: async (saleId) => sales.find((sale) => sale.saleId === saleId) },
    shopfront: { refresh: async (saleId) => void refreshed.push(saleId) },
    clock: () => now,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
      now += milliseconds
    },
    ...telemetry,
  }
  return {
    ...{ ports, table, claims, deadLetters, acknowledged, telemetry, refreshed, pauses },
    credit: (messages) => creditWallets(ports, messages, ports.clock() + budgetMs),
    async balance(shopper) {
      const { balances } = await claims.wallets.of(shopperIdOf(shopper))
      return balances.reduce((sum, { amount }) => sum + amount, 0)
    },
    claimed: async ({ saleId }) => (await table.totals(saleId))?.money?.claimed ?? 0,
  }
}

/** The total of all packets of the sale; undefined for another kind. */
function budgetOf(sale: Sale): number | undefined {
  return sale.packets === undefined ? undefined : wholeOf(sale).totalAmount
}

export type Claimed = { sale: Sale; shopper: number; packet: number; amount: number; claimedAt?: number }

/** The message of a claim, as claim.lua writes it. */
export function messageOf({ sale, shopper, packet, amount, claimedAt = 5_000 }: Claimed): ClaimMessage {
  const { saleId, currency } = sale
  const shopperId = shopperIdOf(shopper)
  return { saleId, shopperId, packet, amount, currency, claimedAt, requestId: `request-${shopper}` }
}

/** That message as the queue delivers it; `copy` makes the ids of two of them differ. */
export function queueMessageOf(claimed: Claimed, copy = ''): QueueMessage {
  const messageId = `${packetIdOf(claimed.sale.saleId, claimed.packet)} ${claimed.shopper}${copy}`
  return { messageId, body: JSON.stringify(messageOf(claimed)) }
}

/** `count` shoppers, each with the packet before their own number, which holds as much as their number says. */
export function crowdOf(sale: Sale, count: number, from = 1): QueueMessage[] {
  return Array.from({ length: count }, (_, at) => {
    const shopper = from + at
    return queueMessageOf({ sale, shopper, packet: shopper - 1, amount: shopper })
  })
}
