/** Who knows of which claims of red packets, by their names: each keeps them in its own way. */
import { claimMessage } from '../core/claim.ts'
import { readJson } from '../core/parse.ts'
import { claimPages, pendingClaimPages } from '../redis/claims.ts'
import { claimName } from './packet-record.ts'
import type { World } from './world.ts'

type Named = Parameters<typeof claimName>[0]

/** More than there ever are. */
const pageSize = 1000

/** What Redis knows of who has a packet. */
export function claimsKept({ redis, saleId }: World): Promise<string[]> {
  return namesOf(claimPages(redis, saleId, pageSize))
}

/** What waits in Redis to be sent. */
export function claimsWaiting({ redis, saleId }: World): Promise<string[]> {
  return namesOf(pendingClaimPages(redis, saleId, pageSize))
}

/** What the table knows. */
export function claimsCredited({ truth, saleId }: World): Promise<string[]> {
  return namesOf(truth.table.claims.pages(saleId))
}

/** What messages ask for; those that are none ask for nothing. */
export function claimsIn(bodies: readonly string[]): string[] {
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
