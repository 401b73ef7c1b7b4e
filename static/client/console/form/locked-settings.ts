/** What an existing sale no longer lets change, and why. The control function decides; this only spares dead ends. */

import type { Sale } from '../../../../core/sale/sale.ts'
import { editableOnceStarted } from '../../../../core/sale/settings.ts'
import { type Key, keyFor } from '../lib/kind-words.ts'

/**
 * Why `sale` no longer lets the field at that path, or the list, change; undefined while it does. The names of variants can
 * always change.
 */
export function lockOf(path: string, sale: Sale | undefined): Key | undefined {
  const [field = ''] = path.split('.')
  if (sale === undefined || /^variants\.\d+\.name/.test(path)) return undefined
  if (field === 'saleId' || (field === 'shards' && sale.warmed)) return 'form.locked'
  if (sale.warmed && shelved(sale).includes(field)) return keyFor(sale.kind, 'form.onShelf')
  return sale.epoch > 0 && !editableOnceStarted.has(field) ? 'form.locked' : undefined
}

/** Fields that an edit cannot change once the stock is loaded: a limited stock, or all fields of red packets. */
const shelved = ({ kind }: Sale): readonly string[] =>
  kind === 'red-packet' ? ['currency', 'packets', 'windows'] : ['stock', 'variants']
