/**
 * Keeps the entries of sales in the store of the CloudFront Functions like what the gate knows. Every call compares
 * first and costs one read of the gate, and for a sale by invitation one of the table, when nothing has changed there:
 * a call to the store costs more than a million reads of the gate. What this instance has published says nothing once
 * the gate has changed, because another instance may have published since.
 *
 * Several publishers may write at once. Each reads the state of the store, then the gate, and writes only if no other
 * has written since; so none puts back what another has replaced.
 */
import { type EdgeEntry, entryIn, entryKey, entryText, soldOutForMs } from '../../../core/gate/edge-entry.ts'
import type { SaleId } from '../../../core/ids.ts'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'
import { type GateFacts, type GateFactsToWrite, gateFactsOf, readGate } from '../../../redis/gate/gate.ts'
import type { GatePorts, Shop, Table } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { findListKey } from '../../table/sale/invited.ts'
import { findSale } from '../../table/sale/sales.ts'

/** A store in which so many others write first is given up until the next call. */
const maxRounds = 5

/** A wanted entry, undefined for none, or `unknown`. `state` changes with everything that it follows from. */
type ExpectedEntry = { entry: string | undefined; state: string } | 'unknown'

/**
 * Publishes the entry of a sale, or removes that of a deleted one; `known` are the facts that the caller
 * has just read at the gate. It never throws, because the gate
 * decides without it: a failure is counted and logged, and the next call tries again.
 */
export function createEdgePublisher(
  ports: GatePorts & Pick<Shop, 'edgeStore' | 'meter' | 'log'>,
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
      // The state was read before the store, so the next call compares a change that came in between.
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
  ports: GatePorts & Pick<Shop, 'edgeStore' | 'meter' | 'log'>,
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

/** A deleted sale stays closed at the gate, and only the table knows that it is gone. */
async function expectedEntry(
  { gate, table, clock }: GatePorts & Pick<Shop, 'edgeStore' | 'meter' | 'log'>,
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
  // The gate forgets an archived sale. One that it has lost is published to it again first.
  if (sale.archivedAt === undefined) return 'unknown'
  const closed = gateFactsOf({ ...sale, flag: 'closed' }, { frozen: false })
  return { entry: entryText(entryOf(closed, null)), state }
}

/** The key of the only list to which the sale sells; null where pages of other sites, which get no cookie, may. */
async function listKeyOf(
  table: Table,
  saleId: SaleId,
  { rules: { invitedOnly, allowedOrigins } }: GateFacts,
): Promise<string | null> {
  if (!invitedOnly || allowedOrigins !== undefined) return null
  return (await findListKey(table, saleId)) ?? null
}

/** The state of the facts. Its numbers never fall, so a change that is undone makes a new state, not the former one. */
function stateOf({ version, soldOutRevision, restockedRevision, freezes }: GateFacts): string {
  return [version, soldOutRevision, restockedRevision, freezes].join(' ')
}

/** The entry of a sale that the gate has these facts of. */
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

/** Sold out is published again before it counts no more. */
function isSame(present: string | undefined, expected: string | undefined): boolean {
  if (present === undefined || expected === undefined) return present === expected
  const [before, after] = [entryIn(present), entryIn(expected)]
  if (before === undefined || after === undefined) return false
  const { soldOutAt } = after
  if (soldOutAt === null || before.soldOutAt === null) return present === expected
  const isFresh = soldOutAt - before.soldOutAt < soldOutForMs / 2
  return isFresh && entryText({ ...before, soldOutAt }) === expected
}
