/** One sale in the list of sales, with its numbers. */
import type { ComponentChildren } from 'preact'
import { phaseAt } from '../../../../core/sale/phase.ts'
import { pictureOf, type Sale, textIn } from '../../../../core/sale/sale.ts'
import { nextWindow } from '../../../../core/sale/windows.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import { moneyText, stockText } from '../sale/facts.ts'
import { KindTag } from '../sale/kind-tag.tsx'
import { startBadge } from '../sale/start-state.ts'
import { useView } from '../view-place.ts'

/** `children` are its numbers, whose script comes after the list. */
type Props = { sale: Sale; now: number; children: ComponentChildren }

export function SaleRow({ sale, now, children }: Props) {
  const { voice } = useView()
  // The list carries no stock, so a sale without units still shows as open here, not on its page.
  const phase = phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, -1)
  const badge = startBadge(voice, { sale, phase, now })
  const facts = [
    sale.saleId,
    moneyText(voice, sale),
    stockText(voice, sale),
    saleMoment(voice, sale, sale.startsAt, voice.shortMoment(sale.startsAt)),
  ]
  return (
    <li data-sale-id={sale.saleId}>
      <a href={`#/sale/${sale.saleId}`}>
        <img src={pictureOf(sale, 72)} alt="" width={72} height={72} />
        <span class="rows__words">
          <strong dir="auto">{textIn(sale, voice.language()).title}</strong>
          <small>{facts.map((fact, i) => [i > 0 && ' · ', <span class="fact">{fact}</span>])}</small>
          {children}
        </span>
        <span class="console__badges">
          <KindTag kind={sale.kind} />
          <span class="badge" data-phase={phase} data-start={badge.state}>
            {badge.text}
          </span>
        </span>
      </a>
    </li>
  )
}
