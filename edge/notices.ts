/**
 * What this instance knows beside single sales: who is shut out (R8), and which sale ids there are (B4). It looks at the
 * versions like at a sale's flags, and fetches a list only when it has a new listVersion: a block counts everywhere within
 * two seconds, and an unchanged list costs one small read. The first time it asks for everything at once, so that a cold
 * instance waits for one round trip.
 *
 * A store that is unavailable, or has lost what it had, changes neither into a refusal: the last known block list goes on, for a
 * list that is empty after all comes as a new listVersion, and without a filter every id is asked for.
 */
import type { SaleId } from '../core/ids.ts'
import { deniedWithinMs, openSaleFilter, type SaleFilter } from '../core/sale-filter.ts'
import { type BlockList, readBlockList } from './block-list.ts'
import type { Editions, GateStore } from './gate-store.ts'
import { type Kept, keep } from './kept.ts'

/** `saleFilter` is undefined where there is none, or none that holds every sale there is now. */
export type Board = { blocks: BlockList; saleFilter: SaleFilter | undefined }

export type Notices = {
  /** The board, no older than `withinMs` (a second, when left out); a promise only when the store must be asked. */
  look(withinMs?: number): Board | Promise<Board>
  /** The block list as it was last known, read anew in the background; a promise only before the first time. */
  blocks(): BlockList | Promise<BlockList>
  /** Whether the sale may exist by the last filter, however old; true before the first. */
  mayHold(saleId: SaleId): boolean
  /** The ids of all sales that are published now; undefined when the store cannot say. It fetches each listVersion of the list once. */
  published(): Promise<ReadonlySet<SaleId> | undefined>
}

/** What one look at the store begins with: the versions, and how to come by the lists. */
type Look = { now: Editions } & Pick<GateStore, 'blocklist' | 'filter'>

/** For a list that stays good until its listVersion changes. */
const forEver = Number.MAX_SAFE_INTEGER

/** `clock` gives epoch ms. A failed read is told to `onFailure`, at most four times a second. */
export function createNotices(
  store: Pick<GateStore, 'versions' | 'blocklist' | 'filter' | 'saleIds'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Notices {
  // One board for good, changed part by part: what could be read counts though another read failed.
  const board: Board = { blocks: readBlockList([]), saleFilter: undefined }
  const versions: Editions = { blocklist: 0, filter: 0, sales: 0 }
  let filter: SaleFilter | undefined
  let isKnown = false

  async function fetchBlocks(listVersion: number, blocklist: GateStore['blocklist']): Promise<void> {
    if (listVersion === 0 || listVersion === versions.blocklist) return
    board.blocks = readBlockList(await blocklist())
    versions.blocklist = listVersion
  }

  async function fetchFilter({ now, filter: read }: Look): Promise<void> {
    versions.sales = now.sales
    // A filter older than the list of sales would deny the newest sale.
    const isCurrent = now.filter !== 0 && now.filter >= now.sales
    if (!isCurrent) board.saleFilter = undefined
    else if (now.filter !== versions.filter) {
      const bytes = await read()
      filter = bytes === undefined ? undefined : openSaleFilter(bytes)
      versions.filter = now.filter
    }
    if (isCurrent) board.saleFilter = filter
  }

  /** Lists are read after their versions, so each is of its listVersion or a later one. */
  async function askForAll(): Promise<Look> {
    const [now, blocks, bytes] = await Promise.allSettled([
      store.versions(),
      store.blocklist(),
      store.filter(),
    ])
    return {
      now: settledValue(now),
      blocklist: async () => settledValue(blocks),
      filter: async () => settledValue(bytes),
    }
  }

  async function read(): Promise<Board> {
    const look = isKnown
      ? { now: await store.versions(), blocklist: store.blocklist, filter: store.filter }
      : await askForAll()
    await Promise.all([fetchBlocks(look.now.blocklist, look.blocklist), fetchFilter(look)])
    isKnown = true
    return board
  }

  // An old filter may lack the newest sale, so it denies nobody.
  const unavailable: Board = {
    get blocks() {
      return board.blocks
    },
    saleFilter: undefined,
  }
  const kept = keep({ read, unavailable, isInDemand: () => true }, clock, onFailure)

  let list: { listVersion: number; ids: Kept<ReadonlySet<SaleId> | undefined> } | undefined

  function listOf(listVersion: number): Kept<ReadonlySet<SaleId> | undefined> {
    if (list?.listVersion === listVersion) return list.ids
    const source = {
      read: async () => new Set(await store.saleIds()),
      unavailable: undefined,
      isInDemand: () => false,
    }
    list = { listVersion, ids: keep<ReadonlySet<SaleId> | undefined>(source, clock, onFailure) }
    return list.ids
  }

  return {
    look: kept.look,
    blocks() {
      const looked = kept.look()
      return isKnown || !(looked instanceof Promise) ? board.blocks : looked.then(() => board.blocks)
    },
    mayHold: (saleId) => !isKnown || filter?.mayHold(saleId) === true,
    async published() {
      const looked = await kept.look(deniedWithinMs)
      return looked === unavailable || versions.sales === 0 ? undefined : listOf(versions.sales).look(forEver)
    },
  }
}

function settledValue<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}
