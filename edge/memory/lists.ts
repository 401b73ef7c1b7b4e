/**
 * The lists that do not belong to one sale: the block list (R8), the ids of all sales (B4), the keys of passes and the
 * issuers of the shop's own customers. While requests need them, the instance reads the versions of the lists about
 * once a second, and a list only when its version has changed: a block is in force everywhere within two seconds, and
 * an unchanged list costs one small read. The first read fetches everything at once, so that a cold instance waits for
 * one round trip.
 *
 * While the store is unavailable no request passes by a block list that is older than that. One that has lost its lists
 * refuses no request by itself: the last known block list stays in force (a list that became empty has a new version),
 * and without a filter every id is looked up.
 */
import { type PassKeys, passKeysIn } from '../../core/gate/pass.ts'
import { maxFilterAgeMs, openSaleFilter, type SaleFilter } from '../../core/gate/sale-filter.ts'
import type { SaleId } from '../../core/ids.ts'
import { type BlockList, readBlockList } from './block-list.ts'
import { type Customers, customersIn, noCustomers } from './customers.ts'
import type { GateStore, ListVersions } from './gate-store.ts'
import { createRefreshingCache, maxAgeMs, type RefreshingCache } from './refreshing-cache.ts'

/** `saleFilter` is undefined when the store has none, or none that holds all sales published so far. */
export type ListsSnapshot = {
  blocks: BlockList
  saleFilter: SaleFilter | undefined
  passKeys: PassKeys
  customers: Customers
  /** The store did not answer, and the lists are older than was asked for. */
  isOld: boolean
}

export type Lists = {
  /** The lists, at most `withinMs` (default: one second) old; a promise only when the store must be read. */
  get(withinMs?: number): ListsSnapshot | Promise<ListsSnapshot>
  /** The lists as they were read last, however long ago. */
  known(): ListsSnapshot
  /** The lists at most one second old at `time` (epoch ms), such as the arrival of a request. */
  getAt(time: number): ListsSnapshot | Promise<ListsSnapshot>
  /** The last known block list, however old; undefined before the first read. */
  knownBlocks(): BlockList | undefined
  /** True when the lists were ever read. */
  isKnown(): boolean
  /** True when the last filter, however old, may hold the sale; true before the first filter. */
  mayHold(saleId: SaleId): boolean
  /** The ids of all published sales, read once for each version of the list; undefined when the store cannot say. */
  publishedSales(): Promise<ReadonlySet<SaleId> | undefined>
}

/** The first part of a read: the versions, and how to get the lists. */
type ListRead = { now: ListVersions } & Pick<GateStore, 'blocklist' | 'filter' | 'customers'>

type PublishedIds = RefreshingCache<ReadonlySet<SaleId> | undefined>

type ListsParts = { origins: ReadonlySet<string>; clock: () => number; onFailure: (error: unknown) => void }

/** For a list that stays good until its version changes. */
const forEver = Number.MAX_SAFE_INTEGER

/** `origins` are the shop's addresses. `clock` gives epoch ms. `onFailure` gets failed reads, four a second at most. */
export function createLists(
  store: Pick<GateStore, 'versions' | 'blocklist' | 'filter' | 'customers' | 'saleIds'>,
  { origins, clock, onFailure }: ListsParts,
): Lists {
  // One object, changed part by part: a list that could be read counts although another read failed.
  const snapshot: ListsSnapshot = {
    blocks: readBlockList([]),
    saleFilter: undefined,
    passKeys: new Map(),
    customers: noCustomers,
    isOld: false,
  }
  const versions: ListVersions = { blocklist: 0, filter: 0, sales: 0, passKeys: '', customers: '' }
  let filter: SaleFilter | undefined
  let isKnown = false

  async function updateBlocks(version: number, blocklist: GateStore['blocklist']): Promise<void> {
    if (version === 0 || version === versions.blocklist) return
    snapshot.blocks = readBlockList(await blocklist())
    versions.blocklist = version
  }

  /** Keys that the store has lost stay good: passes that they signed are still on their way. */
  function updatePassKeys({ passKeys }: ListVersions): void {
    if (passKeys === '' || passKeys === versions.passKeys) return
    snapshot.passKeys = passKeysIn(passKeys)
    versions.passKeys = passKeys
  }

  /** A lost list of issuers stays in force as well: a list that became empty has a version of its own. */
  async function updateCustomers({ now: { customers: version }, customers }: ListRead): Promise<void> {
    if (version === '' || version === versions.customers) return
    const text = await customers(version)
    // A newer version is about to replace this one: the next read finds it.
    if (text === undefined) return
    snapshot.customers = customersIn(text, origins)
    versions.customers = version
  }

  async function updateFilter({ now, filter: read }: ListRead): Promise<void> {
    versions.sales = now.sales
    // A filter older than the list of sales would deny the newest sale.
    const isCurrent = now.filter !== 0 && now.filter >= now.sales
    if (!isCurrent) snapshot.saleFilter = undefined
    else if (now.filter !== versions.filter) {
      const bytes = await read()
      filter = bytes === undefined ? undefined : openSaleFilter(bytes)
      versions.filter = now.filter
    }
    if (isCurrent) snapshot.saleFilter = filter
  }

  async function read(): Promise<ListsSnapshot> {
    const lists = isKnown ? { ...store, now: await store.versions() } : await readAllAtOnce(store)
    updatePassKeys(lists.now)
    await Promise.all([updateBlocks(lists.now.blocklist, lists.blocklist), updateFilter(lists), updateCustomers(lists)])
    isKnown = true
    return snapshot
  }

  // An old filter may lack the newest sale, so it denies no sale.
  const unavailable: ListsSnapshot = {
    get blocks() {
      return snapshot.blocks
    },
    saleFilter: undefined,
    isOld: true,
    get passKeys() {
      return snapshot.passKeys
    },
    get customers() {
      return snapshot.customers
    },
  }
  const source = { read, unavailable, isInDemand: () => true, goodForMs: () => maxAgeMs }
  const cache = createRefreshingCache(source, clock, onFailure)
  const publishedIn = createPublishedSales(store, clock, onFailure)

  return {
    get: cache.get,
    known: () => snapshot,
    isKnown: () => isKnown,
    getAt: (time) => cache.get(clock() - time + maxAgeMs),
    knownBlocks: () => (isKnown ? snapshot.blocks : undefined),
    mayHold: (saleId) => !isKnown || filter?.mayHold(saleId) === true,
    async publishedSales() {
      const current = await cache.get(maxFilterAgeMs)
      return current === unavailable || versions.sales === 0 ? undefined : publishedIn(versions.sales).get()
    },
  }
}

/** Lists are read after their versions, so each is of its version or a later one. */
async function readAllAtOnce(
  store: Pick<GateStore, 'versions' | 'blocklist' | 'filter' | 'customers'>,
): Promise<ListRead> {
  const [now, blocks, bytes] = await Promise.allSettled([store.versions(), store.blocklist(), store.filter()])
  return {
    now: settledValue(now),
    blocklist: async () => settledValue(blocks),
    filter: async () => settledValue(bytes),
    // Few shops have any: they cost a round trip more.
    customers: store.customers,
  }
}

/** Gives the cache of the ids in a version of the list, and forgets those of other versions. */
function createPublishedSales(
  store: Pick<GateStore, 'saleIds'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): (version: number) => PublishedIds {
  let published: { version: number; ids: PublishedIds } | undefined
  return (version) => {
    if (published?.version === version) return published.ids
    const source = {
      read: async () => new Set(await store.saleIds()),
      unavailable: undefined,
      isInDemand: () => false,
      goodForMs: () => forEver,
    }
    const ids = createRefreshingCache<ReadonlySet<SaleId> | undefined>(source, clock, onFailure)
    published = { version, ids }
    return ids
  }
}

function settledValue<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}
