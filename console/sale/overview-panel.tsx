/** The first screen of a sale: its numbers, its present state, what became of the requests, and a chart. */
import { useRef } from 'preact/hooks'
import type { Live } from '../../core/api/control-answers.ts'
import { noPace, type Pace, sellOut, updatePace, waitingShoppers } from '../../core/sale/live-pace.ts'
import type { SeriesSample } from '../../core/sale/series.ts'
import { DemandPanel } from '../gate/demand-panel.tsx'
import { partsOfOptions } from '../option-parts.ts'
import { sayFor } from '../parts/kind-words.ts'
import { TileRow, Tiles, tileText } from '../parts/tiles.tsx'
import { useView } from '../view.ts'
import { CoursePanel } from './course-panel.tsx'
import { moneyText, stockText } from './facts.tsx'
import { tilesOf, tilesOfKind } from './numbers.ts'
import { endText, openingOf, sellOutText, waitingText } from './present-text.ts'
import { sampleOfLive, withSample } from './samples.ts'

export function OverviewPanel({ live }: { live: Live }) {
  const { voice } = useView()
  const { pace, looks } = useCourse(live)
  return (
    <section class="panel overview" id="overview">
      <h2 class="unseen">{voice.t('live.title')}</h2>
      <div class="overview__numbers">
        <LeftOfTotal live={live} />
        <TileRow live={live} names={tilesOfKind(live.sale.kind).sales} look="overview__sales" />
        <PresentPanel live={live} pace={pace} />
      </div>
      <div class="overview__course">
        <DemandPanel demand={live.demand} />
        <CoursePanel live={live} looks={looks} />
      </div>
    </section>
  )
}

type Course = { pace: Pace; looks: readonly SeriesSample[]; latest?: Live }

/** Collects the live answers since the page was opened; each counts once. */
function useCourse(live: Live): Course {
  const course = useRef<Course>({ pace: noPace, looks: [] })
  const { pace, looks, latest } = course.current
  if (latest !== live) {
    const next = withSample(looks, sampleOfLive(live))
    course.current = { pace: updatePace(pace, live), looks: next, latest: live }
  }
  return course.current
}

/** How much is left, large, with a bar for its share. */
function LeftOfTotal({ live }: { live: Live }) {
  const { voice } = useView()
  const { kind, currency } = live.sale
  const { remaining: n, total } = tilesOf(live)
  const isCounted = total !== null && total >= 0
  return (
    <dl class="left">
      <div>
        <dt class="note">{sayFor(voice, kind)('live.remaining')}</dt>
        <dd>
          <span class="left__number" id="live-remaining">
            {tileText(voice, 'remaining', n, currency)}
          </span>{' '}
          <span class="note" id="live-total">
            {isCounted && voice.t('overview.of', { total: total.toLocaleString(voice.locale()) })}
          </span>
        </dd>
      </div>
      <div
        class="left__bar"
        aria-hidden="true"
        hidden={n === -1}
        style={{ '--share': String(isCounted && n !== null ? shareOf(n, total) : 0) }}
      />
    </dl>
  )
}

const shareOf = (n: number, total: number): number => Math.min(1, Math.max(0, n / Math.max(total, 1)))

/** A sale at this moment: when it opens, how fast it sells, or how it ended. */
function PresentPanel({ live, pace }: { live: Live; pace: Pace }) {
  const { voice } = useView()
  const { phase, sale } = live
  const isBefore = phase === 'draft' || phase === 'scheduled'
  const isOver = phase === 'ended'
  const { key, clock } = openingOf(voice, live)
  return (
    <div>
      <Tiles
        look="overview__present"
        isHidden={!isBefore}
        all={[
          { name: voice.t(key), value: clock, id: 'overview-opens' },
          {
            ...{ name: voice.t('overview.offer'), id: 'overview-offer' },
            value: `${stockText(voice, sale)} · ${moneyText(voice, sale)}`,
          },
        ]}
      />
      <Tiles
        look="overview__present"
        isHidden={isBefore || isOver}
        all={[
          {
            ...{ name: voice.t('pace.waiting'), id: 'live-waiting', hint: voice.t('pace.waitingHint') },
            value: waitingText(voice, waitingShoppers(pace, live)),
          },
          {
            ...{ name: sayFor(voice, sale.kind)('pace.sellOut'), id: 'live-sellOut' },
            value: sellOutText(voice, sellOut(pace, live)),
          },
        ]}
      />
      {partsOfOptions.map(({ Overview }) => Overview && <Overview sale={sale} />)}
      <p id="overview-end" hidden={!isOver}>
        {endText(voice, live)}
      </p>
    </div>
  )
}
