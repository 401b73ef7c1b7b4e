/** The names of claims, as Redis, its outbox, the table and the queue have them. */

import { readJson } from '../../core/lib/parse.ts'
import { claimMessage } from '../../core/packets/claim.ts'
import { creditedClaimPages } from '../../functions/table/packets/claim-ledger.ts'
import { claimPages, pendingClaimPages } from '../../redis/packets/stored-claims.ts'
import { claimName } from './packet-record.ts'
import type { World } from './world.ts'

type Named = Parameters<typeof claimName>[0]

/** More claims than a simulated sale ever has. */
const pageSize = 1000

export function claimsInRedis({ redis, saleId }: World): Promise<string[]> {
  return namesOf(claimPages(redis, saleId, pageSize))
}

export function claimsInOutbox({ redis, saleId }: World): Promise<string[]> {
  return namesOf(pendingClaimPages(redis, saleId, pageSize))
}

/** Claims credited in the table. */
export function claimsInTable({ truth, saleId }: World): Promise<string[]> {
  return namesOf(creditedClaimPages(truth.table, saleId))
}

/** Claims in messages; invalid messages are skipped. */
export function claimsInMessages(bodies: readonly string[]): string[] {
  return bodies.flatMap((body) => {
    const message = readJson(claimMessage, body)
    return message.ok ? [claimName(message.value)] : []
  })
}

async function namesOf(pages: AsyncIterable<readonly Named[]>): Promise<string[]> {
  const names: string[] = []
  for await (const page of pages) names.push(...page.map(claimName))
  return names
}
