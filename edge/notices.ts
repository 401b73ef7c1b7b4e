/**
 * What this instance knows beside single sales: who is shut out (R8), and which sale ids there are (B4). It looks at the
 * editions like at a sale's flags, and fetches a list only when it has a new edition: a block counts everywhere within
 * two seconds, and an unchanged list costs one small read.
 *
 * A store that is dark, or has lost what it had, changes neither into a refusal: the last known block list goes on, for a
 * list that is empty after all comes as a new edition, and without a filter every id is asked for.
 */
import { openSaleFilter, type SaleFilter } from '../core/sale-filter.ts'
import { type BlockList, readBlockList } from './block-list.ts'
import type { GateStore } from './gate-store.ts'
import { keep } from './kept.ts'

/** `saleFilter` is undefined where there is none, or none that holds every sale there is now. */
export type Board = { blocks: BlockList; saleFilter: SaleFilter | undefined }

export type Notices = {
  /** The board, no older than `withinMs` (a second, when left out); a promise only when the store must be asked. */
  look(withinMs?: number): Board | Promise<Board>
  /** The block list as it was last known, read anew in the background; a promise only before the first time. */
  blocks(): BlockList | Promise<BlockList>
}

/** `clock` gives epoch ms. A failed read is told to `onFailure`, at most four times a second. */
export function createNotices(
  store: Pick<GateStore, 'editions' | 'blocklist' | 'filter'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Notices {
  // One board for good, changed part by part: what could be read counts though another read failed.
  const board: Board = { blocks: readBlockList([]), saleFilter: undefined }
  const editions = { blocklist: 0, filter: 0 }
  let filter: SaleFilter | undefined
  let isKnown = false

  async function fetchBlocks(edition: number): Promise<void> {
    if (edition === 0 || edition === editions.blocklist) return
    board.blocks = readBlockList(await store.blocklist())
    editions.blocklist = edition
  }

  async function fetchFilter(edition: number, saleEdition: number): Promise<void> {
    // A filter older than the list of sales would deny the newest sale.
    const isCurrent = edition !== 0 && edition >= saleEdition
    if (!isCurrent) board.saleFilter = undefined
    else if (edition !== editions.filter) {
      const bytes = await store.filter()
      filter = bytes === undefined ? undefined : openSaleFilter(bytes)
      editions.filter = edition
    }
    if (isCurrent) board.saleFilter = filter
  }

  async function read(): Promise<Board> {
    const now = await store.editions()
    await Promise.all([fetchBlocks(now.blocklist), fetchFilter(now.filter, now.sales)])
    isKnown = true
    return board
  }

  // An old filter may lack the newest sale, so it denies nobody.
  const dark: Board = {
    get blocks() {
      return board.blocks
    },
    saleFilter: undefined,
  }
  const kept = keep({ read, dark, isInDemand: () => true }, clock, onFailure)
  return {
    look: kept.look,
    blocks() {
      const looked = kept.look()
      return isKnown || !(looked instanceof Promise) ? board.blocks : looked.then(() => board.blocks)
    },
  }
}
