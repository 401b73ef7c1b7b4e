/**
 * The catalogue of the gate: the ids of all current sales, and the Bloom filter made of them, which
 * rejects made-up ids (B4). An id too many in the filter costs a read of the gate's store; a
 * missing one would reject a real sale. So a filter is made from a list that holds every sale of
 * the table, and stored only while that list is current.
 */

import { randomBytes } from 'node:crypto'
import { buildSaleFilter, deniedWithinMs, filterKeyBytes } from '../../../core/gate/sale-filter.ts'
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Commander } from '../../../redis/command.ts'
import { gateFactsOf, setGate } from '../../../redis/gate/gate.ts'
import { listSale, publishFilter, readListVersions, readSales } from '../../../redis/gate/shared-lists.ts'
import type { GatePorts } from '../../shop/shop.ts'
import { currentSales } from '../../table/sale/sales.ts'

/** The gate has seen a new filter everywhere by then, before it denies an id. */
const seenAfterMs = deniedWithinMs + 50

/** The list moves only when a marketer creates or deletes a sale, or a lost one is put back. */
const maxRounds = 8

/** Ids sent to a list that was lost at a time. */
const atOnce = 50

/**
 * Adds `saleId` to the catalogue; resolves when no instance of the gate rejects it any more.
 * @throws as `publishCatalogue`
 */
export async function putInCatalogue(
  ports: GatePorts & { sleep: (milliseconds: number) => Promise<void> },
  saleId: SaleId,
): Promise<void> {
  const { clock, sleep } = ports
  const isNew = await listSale(ports.gate, saleId, true, clock())
  if (!(await hasCurrentFilter(ports.gate))) await publishCatalogue(ports)
  if (isNew) await sleep(seenAfterMs)
}

/**
 * Restores missing ids, and publishes the filter unless it was made of this list. `inTable` are all
 * current sales, if the caller has just read them. Resolves with listed ids that the table's list
 * lacks: deleted sales, or new ones for a moment. @throws when the table or the store is
 * unavailable, and when the list never stops changing
 */
export async function publishCatalogue(
  { gate, table, clock }: GatePorts,
  inTable?: readonly Sale[],
): Promise<readonly SaleId[]> {
  for (let round = 1; round <= maxRounds; round += 1) {
    const { listVersion, filterVersion, saleIds } = await readCatalogue(gate)
    const listed = new Set(saleIds)
    const all = inTable ?? (await currentSales(table))
    const missing = all.filter(({ saleId, archivedAt }) => archivedAt === undefined && !listed.has(saleId))
    for (const some of slicesOf(missing, atOnce)) {
      // A store that lost the list has lost the facts as well, and nothing else publishes the facts of a sale
      // that is not warmed.
      await Promise.all(
        some.map((sale) => (sale.warmed ? undefined : setGate(gate, gateFactsOf(sale, { frozen: false })))),
      )
      await Promise.all(some.map(({ saleId }) => listSale(gate, saleId, true, clock())))
    }
    if (missing.length > 0) continue
    const known = new Set(all.map(({ saleId }) => saleId))
    const unknown = saleIds.filter((saleId) => !known.has(saleId))
    if (filterVersion >= listVersion) return unknown
    // A key of its own for each filter: ids that were found to pass one do not pass the next.
    const filter = buildSaleFilter(saleIds, randomBytes(filterKeyBytes))
    if ((await publishFilter(gate, filter, listVersion, clock())) === 'published') return unknown
  }
  throw new Error('the list of sales moves too fast for a filter of it to be published')
}

/**
 * The filter's version is read first: if the list changed in between, its filter only looks
 * outdated, and is rebuilt.
 */
async function readCatalogue(gate: Commander) {
  const { filter: filterVersion } = await readListVersions(gate)
  return { filterVersion, ...(await readSales(gate)) }
}

async function hasCurrentFilter(gate: Commander): Promise<boolean> {
  const { sales, filter } = await readListVersions(gate)
  return filter >= sales
}
