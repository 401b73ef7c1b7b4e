/** An order that a marketer makes for a shopper, as it is typed. */
import { maxQuantity } from '../../../../core/buy/limits.ts'
import { parseShopperId, type ShopperId } from '../../../../core/ids.ts'
import type { OrderUnits } from '../../../../core/sale/variants.ts'
import type { Key } from '../lib/kind-words.ts'
import { wholeNumber } from '../lib/typed.ts'

/** An order to ask for, which has its idempotency key when it is sent. */
export type TypedOrder = { shopperId: ShopperId } & OrderUnits

type Typed = { shopperId: string; quantity: string; variant: string | undefined }

/** The order that is typed, or the first input that is wrong. */
export function readTypedOrder({
  variant,
  ...typed
}: Typed): { ok: true; order: TypedOrder } | { ok: false; wrong: 'shopperId' | 'quantity' } {
  const shopperId = parseShopperId(typed.shopperId.trim())
  if (shopperId === undefined) return { ok: false, wrong: 'shopperId' }
  const quantity = wholeNumber(typed.quantity)
  if (!(quantity >= 1 && quantity <= maxQuantity)) return { ok: false, wrong: 'quantity' }
  return { ok: true, order: { shopperId, quantity, ...(variant !== undefined && { variant }) } }
}

/** What to say of the field that is wrong by the answer. */
export const wrongKeys: Readonly<Record<string, Key>> = {
  shopperId: 'reserve.noShopper',
  quantity: 'reserve.wrong.quantity',
  variant: 'reserve.wrong.variant',
}
