/**
 * The idempotency keys of stock changes (I5). A key is kept until its change is known to be done,
 * so that pressing again after a lost answer or a refusal repeats the same change: even a refused
 * one may be saved and half-way. A change of another size, or of another variant, is another change.
 */
import type { Live } from '../../../../core/api/control-answers.ts'

/** `delta` units, of one variant where the sale has some. */
export type UnitsChange = { delta: number; variant?: string }

/** Whether adding or removing units has an effect that a shopper could see. */
export const canChangeUnits = ({ sale: { stock, warmed, kind }, phase }: Pick<Live, 'sale' | 'phase'>): boolean =>
  stock !== -1 && warmed && kind !== 'red-packet' && phase !== 'ended'

type StockKeys = {
  /** The key to send with a change. */
  keyOf(saleId: string, change: UnitsChange): string
  /** The change of that sale was done. */
  done(saleId: string): void
}

export function stockKeys(newKey: () => string): StockKeys {
  const open = new Map<string, UnitsChange & { key: string }>()
  return {
    keyOf(saleId, { delta, variant }) {
      const earlier = open.get(saleId)
      if (earlier?.delta === delta && earlier.variant === variant) return earlier.key
      const key = newKey()
      open.set(saleId, { delta, key, ...(variant !== undefined && { variant }) })
      return key
    },
    done: (saleId) => void open.delete(saleId),
  }
}
