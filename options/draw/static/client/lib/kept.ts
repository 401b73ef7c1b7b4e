/**
 * What this browser keeps of a draw: the receipts of its entries, and what it saw published. With them a later check finds
 * an entry that was left out, and rules, lists or steps that were replaced.
 */
import type { SaleId } from '../../../../../core/ids.ts'
import { openStore } from '../../../../../static/client/lib/dom.ts'
import { fieldsInText } from '../../../../../static/client/lib/wire.ts'
import type { KnownOfDraw } from '../../../core/check-draw.ts'

/** As many lines of each kind are kept, the last ones. */
const maxLines = 20

const keyOf = (saleId: SaleId) => `sluice.draw.${saleId}`

export function keptOfDraw(saleId: SaleId): Required<Omit<KnownOfDraw, 'rules'>> & { rules?: string } {
  const fields = fieldsInText(openStore('localStorage').getItem(keyOf(saleId))) ?? {}
  const lines = (value: unknown) => (Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [])
  const { rules } = fields
  return {
    ...(typeof rules === 'string' && { rules }),
    receipts: lines(fields.receipts),
    lists: lines(fields.lists),
    steps: lines(fields.steps),
  }
}

/** Keeps more. The first hash of the rules stays: they never change. */
export function keepOfDraw(
  saleId: SaleId,
  seen: { rules?: string; receipt?: string; list?: string; step?: string },
): void {
  const kept = keptOfDraw(saleId)
  const more = (lines: readonly string[], line: string | undefined) =>
    line === undefined || lines.includes(line) ? lines : [...lines, line].slice(-maxLines)
  const rules = kept.rules ?? seen.rules
  const text = JSON.stringify({
    ...(rules !== undefined && { rules }),
    receipts: more(kept.receipts, seen.receipt),
    lists: more(kept.lists, seen.list),
    steps: more(kept.steps, seen.step),
  })
  try {
    openStore('localStorage').setItem(keyOf(saleId), text)
  } catch {
    // The browser has no room left; the receipt is still on the page to be saved as a file.
  }
}
