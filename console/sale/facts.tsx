/** Describes the offer of a sale: its stock, price and kind. */
import { allPackets } from '../../core/packets/packets.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { phaseAt } from '../../core/sale/phase.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import { sayFor, type Translator } from '../parts/kind-words.ts'
import { useView } from '../view.ts'
import { startBadge } from './start-state.ts'

type Offer = Pick<Sale, 'kind' | 'stock' | 'currency' | 'price' | 'packets' | 'windows'>

/** The number of units, coupons, or packets of all waves. */
export function stockText(voice: Translator, sale: Offer): string {
  if (sale.stock === -1) return voice.t('live.unlimited')
  const n = sale.kind === 'red-packet' ? allPackets(sale).count : sale.stock
  return sayFor(voice, sale.kind)('console.stockOf', { n })
}

/** The price of goods; what all packets hold together; else that nothing is to be paid. */
export function moneyText(voice: Translator, sale: Offer): string {
  if (sale.kind === 'coupon') return voice.t('kind.free')
  if (sale.kind === 'red-packet') return voice.money(allPackets(sale).totalAmount, sale.currency)
  return voice.money(sale.price, sale.currency)
}

/** The small mark that says which kind of sale this is. */
export function KindTag({ kind }: { kind: SaleKind }) {
  return (
    <span class="tag" data-kind={kind}>
      {useView().voice.t(`kind.${kind}`)}
    </span>
  )
}

/** The kind and the state of a sale. `left`: the units that are left, -1 for any number, null or undefined while unknown. */
export function SaleBadges({ sale, left, now }: { sale: Sale; left: number | null | undefined; now: number }) {
  const { voice } = useView()
  const phase = phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, left ?? -1)
  const badge = startBadge(voice, { sale, phase, now })
  return (
    <span class="row">
      <KindTag kind={sale.kind} />
      <span class="badge" data-phase={phase} data-start={badge.state}>
        {badge.text}
      </span>
    </span>
  )
}
