/** Shows the requests for units and their outcomes. Hidden before the first request. */
import type { Live } from '../../core/api/control-answers.ts'
import { isWorded } from '../../templates/messages/text.ts'
import type { Key, Translator } from '../parts/kind-words.ts'
import { useView } from '../view.ts'

type Demand = NonNullable<Live['demand']>

const noDemand: Demand = { asked: 0, decided: 0, won: 0, refused: [] }

export function DemandPanel({ demand }: { demand: Live['demand'] }) {
  const { voice } = useView()
  const { asked: n, decided, won, refused } = demand ?? noDemand
  const { top, others } = topAndOthers(refused)

  const rowOf = ({ reason, count }: Demand['refused'][number]) => (
    <DemandRow key={reason} name={demandText(voice, reason)} count={count} of={n} look="refused" />
  )
  return (
    <section class="demand" id="demand" hidden={n + decided === 0}>
      <div class="row row--apart">
        <h3>{voice.t('demand.title')}</h3>
        <p class="note">{voice.t('demand.asked', { n })}</p>
      </div>
      <dl class="demand__rows">
        <DemandRow name={voice.t('demand.won')} count={won} of={n} look="won" />
        {top.map(rowOf)}
      </dl>
      <details class="more" id="demand-more">
        <summary>
          {others.length === 0 ? voice.t('demand.about') : voice.t('demand.more', { n: others.length })}
        </summary>
        <dl class="demand__rows" hidden={others.length === 0}>
          {others.map(rowOf)}
        </dl>
        <p class="note">{voice.t('demand.hint')}</p>
      </details>
    </section>
  )
}

type RowProps = { name: string; count: number; of: number; look: 'won' | 'refused' }

function DemandRow({ name, count, of, look }: RowProps) {
  const { voice } = useView()
  const share = `${of === 0 ? 0 : (100 * count) / of}%`
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="demand__count">{count.toLocaleString(voice.locale())}</span>
        <span class={`demand__bar demand__bar--${look}`} aria-hidden="true" style={{ inlineSize: share }} />
      </dd>
    </div>
  )
}

type Refused = Demand['refused']

/** How many reasons are shown at once. */
const topReasons = 3

/** The reasons to show, the most frequent ones first, and those that unfold. One more needs no line to unfold it. */
export function topAndOthers(refused: Refused): { top: Refused; others: Refused } {
  const ordered = [...refused].sort((a, b) => b.count - a.count)
  const shown = ordered.length === topReasons + 1 ? ordered.length : topReasons
  return { top: ordered.slice(0, shown), others: ordered.slice(shown) }
}

/** Why a request was refused: in words where there are some, else its code. */
function demandText(voice: Pick<Translator, 't'>, reason: string): string {
  const key = `demand.${reason}`
  return isWorded(key) ? voice.t(key as Key) : voice.t('demand.other', { code: reason })
}
