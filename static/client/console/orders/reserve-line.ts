/** An order that a marketer makes for a shopper, as it is typed. */
import { maxQuantity } from '../../../../core/buy/buy-request.ts'
import { parseShopperId, type ShopperId } from '../../../../core/ids.ts'
import { type Basket, basketUnits, isBasket } from '../../../../core/sale/variants.ts'
import type { Key } from '../lib/kind-words.ts'
import { wholeNumber } from '../lib/typed.ts'

/**
 * `units` are typed by the id of a variant, or alone under `quantity` in a sale without variants; `currency` is chosen in
 * a sale with several prices.
 */
export type TypedOrder = {
  shopperId: string
  units: Readonly<Record<string, string>>
  currency?: string | undefined
}

/** An order to ask for. */
export type UnsentOrder = { shopperId: ShopperId; currency?: string } & ({ quantity: number } | { basket: Basket })

/** `key` is its idempotency key. */
export type ReserveLine = UnsentOrder & { key: string }

/** The line to send, without its key, or the first input that is wrong. */
export function readOrderLine(
  typed: TypedOrder,
  hasVariants: boolean,
): { ok: true; line: UnsentOrder } | { ok: false; wrong: string } {
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
  const { currency } = typed
  const wanted = hasVariants ? { basket } : { quantity: basketUnits(basket) }
  return { ok: true, line: { shopperId, ...(currency && { currency }), ...wanted } }
}

const wrongKeys: Readonly<Record<string, Key>> = {
  shopperId: 'reserve.noShopper',
  quantity: 'reserve.wrong.quantity',
  basket: 'reserve.wrong.basket',
  currency: 'reserve.wrong.currency',
}

/** What to say of the field that is wrong by the answer: that of a line, or as `lines.0.quantity` that of the request. */
export function wrongKey(field = ''): Key | undefined {
  return wrongKeys[field.replace('lines.0.', '')]
}
