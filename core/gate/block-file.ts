/** Reads a file of entries for the block list, for the command line and the console. */
import { type BlockTerms, isBlockReason } from '../api/blocks.ts'
import { type CsvFault, readCsv } from '../lib/csv-file.ts'
import { roundedNumberTest } from '../lib/rounded-number.ts'
import { isDay } from '../sale/schedule.ts'
import { type Block, blockField, isWide, parseBlock } from './block.ts'

/**
 * A line that cannot be imported. `text` is its value in the file. `wide`: a wide range needs a confirmation, so it cannot
 * be imported from a file. `rounded`: a spreadsheet has rounded the id, which would block nobody.
 */
type RefusedBlock = {
  line: number
  text: string
  code: 'invalid' | 'rounded' | 'wide' | 'duplicate' | 'reason' | 'until'
}

/** `ignored` are names of unknown columns. */
export type BlockFile = {
  entries: readonly (Block & BlockTerms)[]
  refused: readonly RefusedBlock[]
  ignored: readonly string[]
}

/** A time must have a zone. Without one its meaning would depend on the reader. */
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/

/** Reads a file with the columns `kind` and `value`, and if there are any `reason` and `until`. `now` is epoch ms. */
export function readBlockFile(
  bytes: Uint8Array,
  now: number,
): ({ ok: true } & BlockFile) | { ok: false; fault: CsvFault } {
  const file = readCsv(bytes, { kind: 'needed', value: 'needed', reason: 'optional', until: 'optional' })
  if (!file.ok) return file
  const entries = new Map<string, Block & BlockTerms>()
  const refused: RefusedBlock[] = []
  const isRounded = roundedNumberTest(file.lines.map(({ cell }) => cell('value')))
  for (const { line, cell } of file.lines) {
    const [text, reason, time] = [cell('value'), cell('reason'), cell('until')]
    const kind = cell('kind').toLowerCase()
    const block = parseBlock(kind, text)
    const until = timePattern.test(time) && isDay(time.slice(0, 10)) ? Date.parse(time) : Number.NaN
    const refuse = (code: RefusedBlock['code']) => refused.push({ line, text, code })
    if (kind === 'shopper' && isRounded(text)) refuse('rounded')
    else if (block === undefined) refuse('invalid')
    else if (isWide(block)) refuse('wide')
    else if (entries.has(blockField(block))) refuse('duplicate')
    else if (!isBlockReason(reason)) refuse('reason')
    else if (time !== '' && !(until > now)) refuse('until')
    else entries.set(blockField(block), { ...block, ...(reason && { reason }), ...(time && { until }) })
  }
  return { ok: true, entries: [...entries.values()], refused, ignored: file.ignored }
}
