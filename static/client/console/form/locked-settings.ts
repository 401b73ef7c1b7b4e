/** What an existing sale no longer lets change, and why. The control function decides; this only spares dead ends. */

import type { Sale } from '../../../../core/sale/sale.ts'
import { editableOnceStarted } from '../../../../core/sale/settings.ts'
import { type Key, keyFor } from '../lib/kind-words.ts'
import type { FieldName } from './form-text.ts'

type Lockable = FieldName | 'windows' | 'variants'

/**
 * Why `sale` no longer lets the field change, or undefined while it does; `windows` are all its
 * windows, `variants` which ones there are and the stock of each.
 */
export function lockOf(name: Lockable, sale: Sale | undefined): Key | undefined {
  if (sale === undefined) return undefined
  if (name === 'saleId' || (name === 'shards' && sale.warmed)) return 'form.locked'
  if (isOnShelf(name, sale)) return keyFor(sale.kind, 'form.onShelf')
  return sale.epoch > 0 && !editableOnceStarted.has(name.split('.')[0] ?? '') ? 'form.locked' : undefined
}

const packets: readonly Lockable[] = ['currency', 'packets.count', 'packets.totalAmount', 'windows']

/** Fields that an edit cannot change once the stock is loaded: a limited stock, or all fields of red packets. */
function isOnShelf(name: Lockable, { kind, warmed }: Sale): boolean {
  return warmed && (kind === 'red-packet' ? packets.includes(name) : name === 'stock' || name === 'variants')
}
