/**
 * What the CloudFront Functions know of a sale: one small value for each published sale in their
 * key-value store. It repeats what the gate knows, later by some seconds, and admits no click: it only
 * lets most requests be refused before a function is paid for (L6).
 */
import type { SaleId } from '../ids.ts'
import { type SaleKind, saleKinds } from '../sale/kinds.ts'
import { flags } from '../sale/phase.ts'
import type { Sale } from '../sale/sale.ts'

const entryFlags = [...flags, 'frozen'] as const

/**
 * Times are epoch ms. `flag` is `frozen` while the stock is recovered; nothing is refused then. `soldOutAt` is when the
 * whole stock was last found sold out, null when it is not. From `turnKey` follow the turns of the spread; it is null
 * before the sale was first opened. `listKey` signs the offers (pass.ts) of a sale that sells by them alone, null for
 * any other sale.
 */
export type EdgeEntry = {
  version: number
  flag: (typeof entryFlags)[number]
  startsAt: number
  endsAt: number
  nextStartsAt: number | null
  soldOutAt: number | null
  kind: SaleKind
  requirePass: Sale['requirePass']
  spreadSeconds: number
  turnKey: string | null
  listKey: string | null
}

/**
 * How long a stock counts as sold out after it was last found so, ms. It bounds how long a client
 * without a pointer is refused after units came back, while the store cannot be written.
 */
export const soldOutForMs = 600_000

export const entryKey = (saleId: SaleId): string => `sale:${saleId}`

/** The key of the pass keys (pass.ts). */
export const passKeysKey = 'pass-keys'

/** An entry as text: its fields in order, with `-` for what is not there. */
export function entryText(entry: EdgeEntry): string {
  const { version, flag, startsAt, endsAt, nextStartsAt, soldOutAt } = entry
  const { kind, requirePass, spreadSeconds, turnKey, listKey } = entry
  const times = [startsAt, endsAt, nextStartsAt ?? '-', soldOutAt ?? '-']
  const rules = [kind, requirePass, spreadSeconds, turnKey ?? '-', ...(listKey === null ? [] : [listKey])]
  return [version, flag, ...times, ...rules].join(' ')
}

/** The entry in a text; undefined for any other text. */
export function entryIn(text: string): EdgeEntry | undefined {
  const [version, flag, startsAt, endsAt, nextStartsAt, soldOutAt, ...rules] = text.split(' ')
  const [kind, requirePass, spreadSeconds, turnKey, listKey = null, ...more] = rules
  const knownFlag = entryFlags.find((one) => one === flag)
  const knownKind = saleKinds.find((one) => one === kind)
  if (knownFlag === undefined || knownKind === undefined) return undefined
  if (turnKey === undefined || more.length > 0) return undefined
  return {
    version: Number(version),
    flag: knownFlag,
    startsAt: Number(startsAt),
    endsAt: Number(endsAt),
    nextStartsAt: timeIn(nextStartsAt),
    soldOutAt: timeIn(soldOutAt),
    kind: knownKind,
    requirePass: requirePass === 'off' ? 'off' : 'on',
    spreadSeconds: Number(spreadSeconds),
    turnKey: turnKey === '-' ? null : turnKey,
    listKey,
  }
}

const timeIn = (text: string | undefined) => (text === undefined || text === '-' ? null : Number(text))
