/**
 * The stock of a sale, with a form to add or remove units. Red packets are split in advance and do
 * not change.
 */
import type { Live } from '../../../../core/api/control-answers.ts'
import { wholeOf } from '../../../../core/packets/packets.ts'
import { sayFor } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import { useView } from '../view-place.ts'
import { StockForm } from './stock-form.tsx'
import type { UnitsChange } from './stock-keys.ts'

/** `restock` adds units or removes some. */
type Props = { live: Live; restock(change: UnitsChange): Promise<void> }

export function StockPanel({ live, restock }: Props) {
  const { voice, may } = useView()
  const { stock, warmed, kind, archivedAt } = live.sale
  return (
    <section class="panel" hidden={archivedAt !== undefined}>
      <h2>{sayFor(voice, kind)('stock.title')}</h2>
      <p id="stock-line">{stockLine(voice, live)}</p>
      {may('changeStock') && (
        <StockForm live={live} isHidden={stock === -1 || !warmed || kind === 'red-packet'} restock={restock} />
      )}
    </section>
  )
}

function stockLine(voice: ConsoleVoice, { sale, stock }: Live): string {
  const say = sayFor(voice, sale.kind)
  const count = (n: number) => n.toLocaleString(voice.locale())
  if (!sale.warmed) return say('live.waiting')
  if (sale.kind === 'red-packet') {
    const whole = wholeOf(sale)
    const money = voice.money(whole.totalAmount, sale.currency)
    return say('stock.split', { stock: say('console.stockOf', { n: whole.count }), money })
  }
  if (sale.stock === -1) return say('stock.unlimited')
  if (stock === null) return say('stock.unknown', { total: count(sale.stock) })
  return say('stock.now', { total: count(stock.total), booked: count(stock.booked) })
}
