/** An order that a marketer makes for a shopper, as it is typed. */
import { maxQuantity } from '../../../../core/buy/buy-request.ts'
import { parseShopperId, type ShopperId } from '../../../../core/ids.ts'
import { type Basket, basketUnits, isBasket } from '../../../../core/sale/variants.ts'
import type { Key } from '../lib/kind-words.ts'
import { wholeNumber } from '../lib/typed.ts'

/** An order to ask for, which has its idempotency key when it is sent. */
export type TypedOrder = { shopperId: ShopperId } & ({ quantity: number } | { basket: Basket })

/**
 * The order that is typed, or the first input that is wrong. `units` are typed by the id of a variant, or alone under
 * `quantity` in a sale without variants.
 */
export function readTypedOrder(
  typed: { shopperId: string; units: Readonly<Record<string, string>> },
  hasVariants: boolean,
): { ok: true; order: TypedOrder } | { ok: false; wrong: string } {
  const shopperId = parseShopperId(typed.shopperId.trim())
  if (shopperId === undefined) return { ok: false, wrong: 'shopperId' }
  // What is left empty is not wanted.
  const lines = Object.entries(typed.units).map(
    ([id, text]) => [id, text.trim() === '' ? 0 : wholeNumber(text)] as const,
  )
  const [first] = lines
  const wrong = lines.find(([, n]) => !(n >= 0 && n <= maxQuantity)) ?? first
  const basket = Object.fromEntries(lines.filter(([, n]) => n !== 0))
  if (!isBasket(basket) || basketUnits(basket) > maxQuantity) return { ok: false, wrong: wrong?.[0] ?? 'quantity' }
  const wanted = hasVariants ? { basket } : { quantity: basketUnits(basket) }
  return { ok: true, order: { shopperId, ...wanted } }
}

/** What to say of the field that is wrong by the answer. */
export const wrongKeys: Readonly<Record<string, Key>> = {
  shopperId: 'reserve.noShopper',
  quantity: 'reserve.wrong.quantity',
  basket: 'reserve.wrong.basket',
}
