/**
 * The idempotency keys of stock changes (I5). A key is kept until its change is known to be done,
 * so that pressing again after a lost answer or a refusal repeats the same change: even a refused
 * one may be saved and half-way. A change of another size is another change.
 */

type StockKeys = {
  /** The key to send with a change of `delta` units. */
  keyOf(saleId: string, delta: number): string
  /** The change of that sale was done. */
  done(saleId: string): void
}

export function stockKeys(newKey: () => string): StockKeys {
  const open = new Map<string, { delta: number; key: string }>()
  return {
    keyOf(saleId, delta) {
      const earlier = open.get(saleId)
      if (earlier?.delta === delta) return earlier.key
      const key = newKey()
      open.set(saleId, { delta, key })
      return key
    },
    done: (saleId) => void open.delete(saleId),
  }
}
