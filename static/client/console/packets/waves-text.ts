/** What the form says of the packets of a sale, as far as they can be split. */
import { maxPacketAmount, maxPackets, type Wave } from '../../../../core/packets/packets.ts'
import { ownPlace, type Place } from '../form/field-errors.ts'
import { type FormText, ownWindowText } from '../form/form-text.ts'
import { readWindow } from '../form/window-text.ts'

/**
 * `short`: the places of the amounts that are too small to give every packet something. `unknown`:
 * there is something yet to be typed, or it is more than a sale can hold.
 */
export type TypedWaves =
  | { kind: 'waves'; waves: readonly Wave[] }
  | { kind: 'short'; places: readonly Place[] }
  | { kind: 'unknown' }

export function wavesIn(text: FormText): TypedWaves {
  const own = text.windows.length === 0
  const waves = (own ? [ownWindowText(text)] : text.windows).map((saleWindow) => {
    const { stock, totalAmount } = readWindow(saleWindow, text)
    return { count: stock, totalAmount: totalAmount ?? Number.NaN }
  })
  const places = waves.flatMap(({ count, totalAmount }, i): Place[] =>
    count > totalAmount ? [own ? ownPlace('totalAmount', text) : `windows.${i}.totalAmount`] : [],
  )
  if (places.length > 0) return { kind: 'short', places }
  const isWhole = waves.every(({ count, totalAmount }) => count >= 1 && totalAmount <= maxPacketAmount)
  const packets = waves.reduce((sum, { count }) => sum + count, 0)
  return isWhole && packets <= maxPackets ? { kind: 'waves', waves } : { kind: 'unknown' }
}
