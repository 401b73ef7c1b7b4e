/**
 * The catalogue of the gate: the ids of all current sales, and the Bloom filter made from them, which rejects made-up ids (B4).
 * A surplus id in the filter costs a read of the gate's store; a missing one would reject a real sale. So a filter is made from
 * a list that holds every sale of the table, and stored only while that list is current.
 */
import { buildSaleFilter, filterKeyBytes, maxFilterAgeMs, withSaleId } from '../../../core/gate/sale-filter.ts'
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { gateFactsOf, setGate } from '../../../redis/gate/gate.ts'
import {
  areListed,
  type ListedSale,
  listSale,
  publishFilter,
  readFilter,
  readListVersions,
  readSales,
} from '../../../redis/gate/shared-lists.ts'
import type { GatePorts, ShopContext } from '../../lib/shop/shop.ts'
import { currentSaleIds, findCurrentSales } from '../../table/sale/sale-lists.ts'

type CataloguePorts = GatePorts & Pick<ShopContext, 'randomBytes'>

/** How long every instance of the gate needs to read a new filter before it denies an id, ms. */
const propagationMs = maxFilterAgeMs + 50

/** The list changes only when a marketer creates or deletes a sale, or a lost sale is restored. */
const maxRounds = 8

/** Ids sent concurrently to a lost list. */
const concurrency = 50

/**
 * Adds `saleId` to the catalogue; resolves when no instance of the gate rejects it any more. A filter that has all other sales
 * gets this one added, so the cost does not depend on their number.
 * @throws as `publishCatalogue`
 */
export async function addToCatalogue(
  ports: CataloguePorts & { sleep: (milliseconds: number) => Promise<void> },
  saleId: SaleId,
): Promise<void> {
  const { clock, sleep, gate } = ports
  const listed = await listSale(gate, saleId, true, clock())
  const isCurrent = listed.isChanged ? await addToFilter(ports, saleId, listed) : listed.wasCurrent
  if (!isCurrent) await publishCatalogue(ports)
  if (listed.isChanged) await sleep(propagationMs)
}

/**
 * Adds one id to the filter. False when that does not suffice: the filter lacks others or has no room, or the list has changed
 * again. A filter published after the id was listed has all ids of that list as well.
 */
async function addToFilter(
  { gate, clock }: GatePorts,
  saleId: SaleId,
  { wasCurrent, listVersion }: ListedSale,
): Promise<boolean> {
  const present = wasCurrent ? await readFilter(gate) : undefined
  const filter = present && withSaleId(present, saleId)
  return filter !== undefined && (await publishFilter(gate, filter, listVersion, clock())) === 'published'
}

/**
 * Restores missing ids, and publishes the filter unless it was made from this list. Resolves with listed ids that the table's
 * lists lack: deleted sales, or new ones for a moment. Reads only ids, and the sales that are missing.
 * @throws when the table or the store is unavailable, and when the list never stops changing
 */
export async function publishCatalogue({
  gate,
  table,
  clock,
  randomBytes,
}: CataloguePorts): Promise<readonly SaleId[]> {
  for (let round = 1; round <= maxRounds; round += 1) {
    // The filter's version first: if the list changes in between, its filter only looks outdated.
    const { filter: filterVersion } = await readListVersions(gate)
    const { listVersion, saleIds } = await readSales(gate)
    const listed = new Set(saleIds)
    const { warmed, drafts } = await currentSaleIds(table)
    const all = new Set([...warmed, ...drafts])
    const unlisted = [...all].filter((saleId) => !listed.has(saleId))
    const missing = (await findCurrentSales(table, unlisted)).filter(({ archivedAt }) => archivedAt === undefined)
    for (const some of slicesOf(missing, concurrency)) {
      // A store that lost the list also lost the facts, and nothing else publishes the facts of a sale that is not warmed.
      await Promise.all(
        some.map((sale) => (sale.warmed ? undefined : setGate(gate, gateFactsOf(sale, { frozen: false })))),
      )
      await Promise.all(some.map(({ saleId }) => listSale(gate, saleId, true, clock())))
    }
    if (missing.length > 0) continue
    const unknown = saleIds.filter((saleId) => !all.has(saleId))
    // Without a filter, as in a shop that never had a sale, the gate could not reject any id.
    if (filterVersion > 0 && filterVersion >= listVersion) return unknown
    // Use a new key for each filter, so that ids that pass one do not pass the next.
    const filter = buildSaleFilter(saleIds, randomBytes(filterKeyBytes))
    if ((await publishFilter(gate, filter, listVersion, clock())) === 'published') return unknown
  }
  throw new Error('the list of sales changes too fast to publish a filter of it')
}

/** Publishes the catalogue again if it lacks one of `saleIds`, or a filter of its list. @throws as `publishCatalogue` */
export async function checkCatalogue(ports: CataloguePorts, saleIds: readonly SaleId[]): Promise<void> {
  if (saleIds.length === 0) return
  const { sales, filter } = await readListVersions(ports.gate)
  if (filter < sales || !(await areListed(ports.gate, saleIds))) await publishCatalogue(ports)
}
