/** The windows of a sale, the present one marked (R7). */
import type { Sale } from '../../../../core/sale/sale.ts'
import { sayFor } from '../lib/kind-words.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import { useView } from '../view-place.ts'

export function WindowPanel({ sale }: { sale: Sale }) {
  const { voice } = useView()
  const { kind, currency, windows, windowIndex } = sale
  const say = sayFor(voice, kind)
  return (
    <section class="panel" hidden={windows.length === 0}>
      <h2>{say('window.title')}</h2>
      <ol class="windows" id="windows">
        {windows.map(({ startsAt, endsAt, stock, totalAmount }, i) => (
          <li key={startsAt} aria-current={i === windowIndex ? 'true' : undefined}>
            <span>
              <bdi>{saleMoment(voice, sale, startsAt)}</bdi> – <bdi>{saleMoment(voice, sale, endsAt)}</bdi>
              <small>
                {say('console.stockOf', { n: stock })}
                {totalAmount !== undefined && ` · ${voice.money(totalAmount, currency)}`}
              </small>
            </span>
            {i === windowIndex && <span class="badge">{say('window.present')}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}
