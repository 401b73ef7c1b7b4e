/**
 * The draws of a series: entrants have the same ids in all of them, and who lost the last ones has more tries in the next
 * (docs/reference/draw.md, "Extra tries"). Which draws those are, and how far each was, is fixed when rules are published.
 */
import { hexOf } from '../../../core/draw/bytes.ts'
import type { VerifyRound } from '../../../core/draw/chain.ts'
import { earlierOutcomes } from '../../../core/draw/check-draw.ts'
import { triesAfter } from '../../../core/draw/extra-tries.ts'
import { type RecordList, recordAt, recordBytes, type SortedRecords, sortRecords } from '../../../core/draw/record.ts'
import { type DrawRules, type EarlierDraw, rulesHash } from '../../../core/draw/rules.ts'
import { lineHash, lineTextsOf } from '../../../core/draw/signed-line.ts'
import type { SaleId } from '../../../core/ids.ts'
import { lastDraws, type SaleDraw } from '../../../core/sale/sale-draw.ts'
import type { Table } from '../../lib/shop/table.ts'
import { drawsInSeries, noteInSeries, readDrawState } from '../../table/draw/draws.ts'
import type { FilesOfDraw } from './draw-of-sale.ts'
import { findRow, writeRows } from './id-rows.ts'
import type { DrawFiles } from './keep-draw.ts'

type SeriesPorts = { table: Table; filesOf: FilesOfDraw }

/**
 * The earlier draws that the rules of a sale name, oldest first: the last ones of its series that were decided when this was
 * asked first. @throws when a part is unavailable
 */
export async function earlierOf(
  { table, filesOf }: SeriesPorts,
  saleId: SaleId,
  { series, closesAt }: SaleDraw,
): Promise<EarlierDraw[]> {
  if (series === undefined) return []
  const found: EarlierDraw[] = []
  for (const other of (await drawsInSeries(table, series)).toReversed()) {
    if (found.length === lastDraws) break
    const decided = other === saleId ? undefined : await decidedIn({ table, filesOf }, other)
    if (decided !== undefined) found.unshift(decided)
  }
  return noteInSeries(table, series, saleId, { closesAt, earlier: found })
}

async function decidedIn({ table, filesOf }: SeriesPorts, sale: SaleId): Promise<EarlierDraw | undefined> {
  if ((await readDrawState(table, sale))?.phase !== 'decided') return undefined
  const { read } = filesOf(sale)
  const [rules, heads, steps] = [await read('draw.json'), await read('heads.txt'), await read('allocation.txt')]
  const [head, step] = [lineTextsOf(heads).at(-1), lineTextsOf(steps).at(-1)]
  if (rules === undefined || head === undefined || step === undefined)
    throw new Error(`the draw of ${sale} is decided, and a file of it is missing`)
  return { sale, rules: hexOf(rulesHash(rules)), head: lineHash(head), step: lineHash(step) }
}

/**
 * Writes who has more than one try, from the published files of the earlier draws alone, and resolves with how many digits of
 * an id name its file; undefined for rules without earlier draws. Safe to repeat.
 * @throws RangeError for an earlier draw with a fault, and when the files are unavailable
 */
export async function writeTries(
  files: DrawFiles,
  rules: DrawRules,
  verifyRound: VerifyRound,
): Promise<number | undefined> {
  if (rules.earlier.length === 0) return undefined
  const outcomes = await earlierOutcomes(files.read, rules, { verifyRound })
  const { list, standing } = sortRecords(standingIn(outcomes.map(({ records }) => records)))
  const tries = triesAfter({ list, all: standing, standing }, outcomes, rules.mostTries)
  const places = [...standing.keys()].filter((place) => (tries[place] ?? 0) > 1)
  const entries = Uint32Array.from(places, (place) => standing[place] ?? 0)
  return writeRows(files, 'tries', { list, entries }, (_, n) => Uint8Array.of(tries[places[n] ?? 0] ?? 1))
}

/** The standing entries of all draws in one list. */
function standingIn(draws: readonly SortedRecords[]): RecordList {
  const count = draws.reduce((sum, { standing }) => sum + standing.length, 0)
  const bytes = new Uint8Array(count * recordBytes)
  let at = 0
  for (const { list, standing } of draws) {
    for (const entry of standing) {
      bytes.set(recordAt(list, entry), at)
      at += recordBytes
    }
  }
  return { bytes, count }
}

/** How many tries the entrant with this id (hexadecimal) has. `digits` as `writeTries` gave them. */
export async function findTries(
  files: Pick<DrawFiles, 'read'>,
  digits: number | undefined,
  id: string,
): Promise<number> {
  return digits === undefined ? 1 : ((await findRow(files, 'tries', digits, id))?.[0] ?? 1)
}
