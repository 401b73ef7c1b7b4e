/**
 * Publishes the entries of sales to the store of the CloudFront Functions, as the gate knows them. Every call compares first
 * and costs one read of the gate, and for a sale by invitation one of the table, when nothing has changed: a call to the store
 * costs more than a million reads of the gate. After a change of the gate, this instance's memory does not count, because
 * another instance may have published since.
 *
 * Publishers may run concurrently. Each reads the version of the store, then the gate, and writes only if no other has written
 * since, so none restores what another has replaced.
 */
import { type EdgeEntry, entryIn, entryKey, entryText, soldOutForMs } from '../../../core/gate/edge-entry.ts'
import type { SaleId } from '../../../core/ids.ts'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'
import { type GateFacts, type GateFactsToWrite, gateFactsOf, readGate } from '../../../redis/gate/gate.ts'
import type { GatePorts, ShopContext, Table } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { findListKey } from '../../table/sale/invited.ts'
import { findSale } from '../../table/sale/sales.ts'

/** Tries before giving up until the next call when other writers keep changing the store. */
const maxRounds = 5

/** The entry to publish, undefined for none, or `unknown`. `state` changes with every fact that the entry depends on. */
type ExpectedEntry = { entry: string | undefined; state: string } | 'unknown'

/**
 * Creates the publisher of entries, which removes that of a deleted sale; `known` are the facts that the caller has just read
 * at the gate. It never throws, because the gate decides without the entry: a failure is counted and logged, and the next call
 * retries.
 */
export function createEdgePublisher(
  ports: GatePorts & Pick<ShopContext, 'edgeStore' | 'meter' | 'log'>,
): (saleId: SaleId, known?: GateFacts) => Promise<void> {
  const { clock, meter, log } = ports
  const published = new Map<SaleId, { entry: string | undefined; state: string }>()
  const waitingSince = new Map<SaleId, number>()

  return async (saleId, known) => {
    try {
      const expected = await expectedEntry(ports, saleId, known)
      if (expected === 'unknown') return
      const last = published.get(saleId)
      if (last !== undefined && last.state === expected.state && isSame(last.entry, expected.entry)) return
      if (!waitingSince.has(saleId)) waitingSince.set(saleId, clock())
      // The state was read before the store, so the next call notices a change in between.
      published.set(saleId, { entry: await publishEntry(ports, saleId), state: expected.state })
      meter.count('EdgeStoreLagMs', clock() - (waitingSince.get(saleId) ?? clock()))
      waitingSince.delete(saleId)
    } catch (error) {
      meter.count('EdgeStoreFailed')
      const since = waitingSince.get(saleId)
      if (since !== undefined) meter.count('EdgeStoreLagMs', clock() - since)
      log.warn('entry of a sale not published to the edge', { saleId, ...errorFacts(error) })
    }
  }
}

async function publishEntry(
  ports: GatePorts & Pick<ShopContext, 'edgeStore' | 'meter' | 'log'>,
  saleId: SaleId,
): Promise<string | undefined> {
  const { edgeStore } = ports
  const key = entryKey(saleId)
  for (let round = 0; round < maxRounds; round += 1) {
    const etag = await edgeStore.etag()
    const present = await edgeStore.read(key)
    const expected = await expectedEntry(ports, saleId)
    if (expected === 'unknown' || isSame(present, expected.entry)) return present
    if ((await edgeStore.update(etag, new Map([[key, expected.entry]]))) === 'updated') return expected.entry
  }
  throw new Error('others keep changing the store')
}

/** Returns the entry to publish. A deleted sale stays closed at the gate, and only the table knows that it is deleted. */
async function expectedEntry(
  { gate, table, clock }: GatePorts & Pick<ShopContext, 'edgeStore' | 'meter' | 'log'>,
  saleId: SaleId,
  known?: GateFacts,
): Promise<ExpectedEntry> {
  const now = clock()
  const facts = known ?? (await readGate(gate, saleId))
  const state = facts === undefined ? 'none' : stateOf(facts)
  if (facts !== undefined && facts.flag !== 'closed') {
    const listKey = await listKeyOf(table, saleId, facts)
    return { entry: entryText(entryOf(facts, facts.soldOut ? now : null, listKey)), state }
  }
  const sale = (await findSale(table, saleId))?.sale
  if (sale === undefined) return { entry: undefined, state }
  if (facts !== undefined) return { entry: entryText(entryOf(facts, null)), state }
  // The gate has no archived sales. A sale that it has lost is published to it again first.
  if (sale.archivedAt === undefined) return 'unknown'
  const closed = gateFactsOf({ ...sale, flag: 'closed' }, { frozen: false })
  return { entry: entryText(entryOf(closed, null)), state }
}

/** Returns the key of the invitation list; null when pages of other sites, which get no cookie, may sell the sale. */
async function listKeyOf(
  table: Table,
  saleId: SaleId,
  { rules: { invitedOnly, allowedOrigins } }: GateFacts,
): Promise<string | null> {
  if (!invitedOnly || allowedOrigins !== undefined) return null
  return (await findListKey(table, saleId)) ?? null
}

/** Returns the state of the facts. Its numbers never fall, so undoing a change makes a new state, not the former one. */
function stateOf({ version, soldOutRevision, restockedRevision, freezes }: GateFacts): string {
  return [version, soldOutRevision, restockedRevision, freezes].join(' ')
}

export function entryOf(
  facts: Omit<GateFactsToWrite, 'saleId' | 'databases'>,
  soldOutAt: number | null,
  listKey: string | null = null,
): EdgeEntry {
  const { version, flag, startsAt, endsAt, nextStartsAt, startToken, frozen } = facts
  const { kind, requirePass, spreadSeconds } = facts.rules
  const times = { startsAt, endsAt, nextStartsAt, soldOutAt }
  const turnKey = startToken === null ? null : armedTokenOf(startToken)
  const needs = { kind, requirePass, spreadSeconds, turnKey, listKey }
  return { version, flag: frozen ? 'frozen' : flag, ...times, ...needs }
}

/** True when the entry need not be published. "Sold out" is published again before it expires. */
function isSame(present: string | undefined, expected: string | undefined): boolean {
  if (present === undefined || expected === undefined) return present === expected
  const [before, after] = [entryIn(present), entryIn(expected)]
  if (before === undefined || after === undefined) return false
  const { soldOutAt } = after
  if (soldOutAt === null || before.soldOutAt === null) return present === expected
  const isFresh = soldOutAt - before.soldOutAt < soldOutForMs / 2
  return isFresh && entryText({ ...before, soldOutAt }) === expected
}
