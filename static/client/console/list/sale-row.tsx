/** One sale in the list of sales, with its numbers. */
import type { SaleNumbers } from '../../../../core/api/control-answers.ts'
import { phaseAt } from '../../../../core/sale/phase.ts'
import { pictureOf, type Sale, textIn } from '../../../../core/sale/sale.ts'
import { nextWindow } from '../../../../core/sale/windows.ts'
import { sayFor } from '../lib/kind-words.ts'
import { moneyText, stockText } from '../sale/facts.ts'
import { KindTag } from '../sale/kind-tag.tsx'
import { startBadge } from '../sale/start-state.ts'
import type { ConsoleVoice } from '../view.ts'
import { useView } from '../view-place.ts'

type Props = { sale: Sale; numbers: SaleNumbers | undefined; now: number }

export function SaleRow({ sale, numbers, now }: Props) {
  const { voice } = useView()
  // The list carries no stock, so a sale without units still shows as open here, not on its page.
  const phase = phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, -1)
  const badge = startBadge(voice, { sale, phase, now })
  const facts = [
    sale.saleId,
    moneyText(voice, sale),
    stockText(voice, sale),
    voice.shortMoment(sale.startsAt),
  ]
  return (
    <li data-sale-id={sale.saleId}>
      <a href={`#/sale/${sale.saleId}`}>
        <img src={pictureOf(sale, 72)} alt="" width={72} height={72} />
        <span class="rows__words">
          <strong>{textIn(sale, voice.language()).title}</strong>
          <small>{facts.map((fact, i) => [i > 0 && ' · ', <span class="fact">{fact}</span>])}</small>
          {sale.epoch > 0 && (
            <small class="rows__numbers">
              {numbersShown(voice, sale, numbers).map(([name, value], i) => [
                i > 0 && ' · ',
                <span class="fact">
                  {name} <b>{value}</b>
                </span>,
              ])}
            </small>
          )}
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

/** What was sold, what is left, and the money: each with its name. What is not known is a dash. */
export function numbersShown(
  voice: Pick<ConsoleVoice, 't' | 'locale' | 'money'>,
  { kind, currency }: Sale,
  numbers: SaleNumbers | undefined,
): (readonly [name: string, value: string])[] {
  const say = sayFor(voice, kind)
  const count = (n: number | null | undefined) => {
    if (n === null || n === undefined) return '–'
    return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
  }
  const revenue = numbers?.revenue ?? null
  const money = kind === 'red-packet' ? say('live.claimed') : say('live.revenue')
  return [
    [say('live.sold'), count(numbers?.sold)],
    [say('live.remaining'), count(numbers?.left)],
    ...(kind === 'coupon' ? [] : [[money, revenue === null ? '–' : voice.money(revenue, currency)] as const]),
  ]
}
