/**
 * The facts of a sale that the CloudFront Functions know: one JSON value for each published sale in their key-value store. It
 * repeats what the gate knows, some seconds later, and admits no click: it only lets most requests be refused before a
 * function is paid for (L6).
 */
import * as z from 'zod/mini'
import type { SaleId } from '../ids.ts'
import { readJson } from '../lib/parse.ts'
import { saleKinds } from '../sale/kinds.ts'
import { flags } from '../sale/phase.ts'

const number = z.number('must be a number')

/**
 * Times are epoch ms. `flag` is `frozen` while the stock is recovered; nothing is refused then. `soldOutAt` is when the
 * whole stock was last found sold out, null when it is not. The turns of the spread follow from `turnKey`, which is null
 * before the sale was first opened. `listKey` signs the offers (pass.ts) of a sale that sells by them alone, and is null
 * for any other sale.
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
 * How long a stock counts as sold out after it was last found so, ms. It bounds how long a client
 * without a pointer is refused after units came back, while the store cannot be written.
 */
export const soldOutForMs = 600_000

export const entryKey = (saleId: SaleId): string => `sale:${saleId}`

/** The key of the pass keys (pass.ts). */
export const passKeysKey = 'pass-keys'

const names = Object.keys(edgeEntry.shape)

/** Equal entries have the same text. */
export const entryText = (entry: EdgeEntry): string => JSON.stringify(entry, names)

/** Returns the entry in a text; undefined for any other text. */
export function entryIn(text: string): EdgeEntry | undefined {
  const read = readJson(edgeEntry, text)
  return read.ok ? read.value : undefined
}
