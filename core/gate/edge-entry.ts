/**
 * The entry of a published sale in the key-value store of CloudFront Functions. It has facts that the gate knows too, some
 * seconds later. It never admits a click; it only lets CloudFront reject most requests before a function is paid for (L6).
 */
import * as z from 'zod/mini'
import type { SaleId } from '../ids.ts'
import { readJson } from '../lib/parse.ts'
import { saleKinds } from '../sale/kinds.ts'
import { flags } from '../sale/phase.ts'

const number = z.number('must be a number')

/**
 * Times are epoch ms. `flag` is `frozen` while the stock is recovered; then only clicks without a valid pass are rejected.
 * `soldOutAt` is when the whole stock was last found sold out, or null. Turns of the spread are derived from `turnKey`, which
 * is null before the sale was first opened. `listKey` signs the proofs of invitation (pass.ts), and is null unless the sale is
 * by invitation.
 */
const edgeEntry = z.strictObject({
  version: number,
  flag: z.enum([...flags, 'frozen']),
  startsAt: number,
  endsAt: number,
  nextStartsAt: z.nullable(number),
  soldOutAt: z.nullable(number),
  kind: z.enum(saleKinds),
  requirePass: z.enum(['on', 'off']),
  spreadSeconds: number,
  turnKey: z.nullable(z.string()),
  listKey: z.nullable(z.string()),
})

export type EdgeEntry = z.infer<typeof edgeEntry>

/**
 * How long `soldOutAt` is valid, ms. This limits how long clients without a pointer are rejected after units came back
 * while the store cannot be written.
 */
export const soldOutForMs = 600_000

export const entryKey = (saleId: SaleId): string => `sale:${saleId}`

/** The key of the entry with the pass keys (pass.ts). */
export const passKeysKey = 'pass-keys'

const names = Object.keys(edgeEntry.shape)

/** Returns the entry as JSON with its fields in a fixed order, so that equal entries have equal texts. */
export const entryText = (entry: EdgeEntry): string => JSON.stringify(entry, names)

export function entryIn(text: string): EdgeEntry | undefined {
  const read = readJson(edgeEntry, text)
  return read.ok ? read.value : undefined
}
