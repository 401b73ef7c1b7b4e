/** Shows one sale, its actions and its panels, and polls it every second. */

import type { FailedReply } from '../../client/http.ts'
import type { Live } from '../../core/api/control-answers.ts'
import type { SaleId } from '../../core/ids.ts'
import { phaseAt } from '../../core/sale/phase.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import type { Choice } from '../../web/confirm.ts'
import { control, requestStart } from '../api.ts'
import { partsOfOptions } from '../option-parts.ts'
import { RefundPanel } from '../orders/refund-panel.tsx'
import { ReservePanel } from '../orders/reserve-panel.tsx'
import { ShipmentPanel } from '../orders/shipment-panel.tsx'
import { askBefore } from '../parts/ask-before.ts'
import { callKeys } from '../parts/call-keys.ts'
import { FactsList } from '../parts/facts-list.tsx'
import { FoldedPanel } from '../parts/folded-panel.tsx'
import { sayFor } from '../parts/kind-words.ts'
import { saleMoment } from '../parts/sale-moment.ts'
import { BackLink } from '../parts/work-button.tsx'
import { TablesPanel } from '../report/tables-panel.tsx'
import { type ConsoleVoice, failureText, reasonText, useView, type ViewContext } from '../view.ts'
import { repeatOf, type SaleAction } from './actions.ts'
import { leftEffects, type UnitsChange } from './effects.ts'
import { EmbedPanel } from './embed-panel.tsx'
import { moneyText, stockText } from './facts.tsx'
import { HealthPanel } from './health-panel.tsx'
import { shownLive } from './notices.ts'
import { OverviewPanel } from './overview-panel.tsx'
import { SaleFace } from './sale-face.tsx'
import { settingsOf } from './setting-words.ts'
import { startQuestion, startText } from './start-question.ts'
import { startBadge } from './start-state.ts'
import { ShardPanel, StockPanel, VariantPanel } from './stock-panel.tsx'

const everyMs = 1000
const unseenEveryMs = 10_000
/** An answer takes much less; without one nothing is known of the sale. */
const lateAfterMs = 5000

// Outlives a view, which another language or a visit to the list draws again.
const keys = callKeys()

export function openSale(context: ViewContext, saleId: string): void {
  const { voice, isLeft } = context
  let timer = 0
  let isFailing = false
  let isFlipping = false
  let live: Live | undefined
  let lostSince: number | undefined

  async function look(): Promise<void> {
    if (isLeft()) return
    const early = isFlipping
    const late = window.setTimeout(lose, lateAfterMs)
    const answer = await control.getLive({ saleId })
    clearTimeout(late)
    if (isLeft()) return
    if (answer.ok) {
      if (isFailing) context.announce('')
      isFailing = false
      lostSince = undefined
      live = shownLive(answer.value, early || isFlipping)
      draw()
    } else {
      isFailing = true
      lose()
      if (live !== undefined && answer.reply.kind === 'lost') context.announce(voice.t('live.lost'))
      else if (context.explain(answer.reply)) return
    }
    clearTimeout(timer)
    timer = window.setTimeout(look, document.hidden ? unseenEveryMs : everyMs)
  }

  const refresh = () => void look()

  function lose(): void {
    if (live === undefined) return
    lostSince = live.now
    draw()
  }

  async function act(action: SaleAction): Promise<void> {
    if (live === undefined) return
    const isChanged = await confirmFlip(context, live, action, (isBusy) => {
      isFlipping = isBusy
    })
    if (isChanged) refresh()
  }

  const restock = (change: UnitsChange) => changeUnits(context, saleId, change).then(refresh)

  function draw(): void {
    context.draw(
      <>
        <BackLink to="#/" text={voice.t('console.back')} />
        <SaleFace live={live} act={act} refresh={refresh} />
        {live && <SalePanels {...{ live, lostSince, restock, refresh }} />}
      </>,
    )
  }

  draw()
  refresh()
}
/** Adds units, or removes some, and announces the outcome. */
async function changeUnits(context: ViewContext, saleId: string, change: UnitsChange): Promise<void> {
  const { voice } = context
  context.announce(voice.t('do.working'))
  const answer = await control.changeStock({ saleId, body: change, key: keys.keyOf(saleId, change) })
  if (answer.ok) keys.done(saleId)
  if (!answer.ok) return context.announce(restockRefused(voice, answer.reply))
  const { total, booked } = answer.value
  const units = (n: number) => n.toLocaleString(voice.locale())
  context.announce(voice.t('did.stock', { total: units(total), left: units(total - booked) }), 'passes')
}

/** Without a definite answer it is unknown whether the units were counted; repeating the same request shows it. */
function restockRefused(voice: ConsoleVoice, reply: FailedReply): string {
  const definite = reply.kind === 'refused' && reply.status < 500
  return definite ? reasonText(voice, reply) : voice.t('stock.again')
}

type Props = {
  live: Live
  lostSince: number | undefined
  /** Adds units, or removes some. */
  restock(change: UnitsChange): Promise<void>
  /** Call it after an action that may have changed the numbers. */
  refresh(): void
}

/** The panels of one sale: those that its kind needs, in their order. */
export function SalePanels({ live, lostSince, restock, refresh }: Props) {
  const { voice, may } = useView()
  const { sale, phase } = live
  const { kind, archivedAt } = sale
  const isOpened = sale.epoch > 0
  return (
    <>
      <HealthPanel live={live} lostSince={lostSince} refresh={refresh} />
      <OverviewPanel live={live} />
      <VariantPanel live={live} />
      <ShardPanel live={live} />
      <div class="panels">
        <StockPanel live={live} restock={restock} />
        <TablesPanel live={live} />
        <WindowPanel sale={sale} />
      </div>
      <div class="folded-panels">
        {partsOfOptions.map(({ Panel }) => Panel && <Panel sale={sale} />)}
        <ReservePanel
          live={live}
          isHidden={phase !== 'open' || kind !== 'goods' || !may('reserveOrder')}
          refresh={refresh}
        />
        <ShipmentPanel
          saleId={sale.saleId}
          isHidden={!isOpened || kind !== 'goods' || !may('ship')}
          refresh={refresh}
        />
        {/* A claimed packet belongs to the shopper, so there is no order to refund. */}
        <RefundPanel kind={kind} isHidden={!isOpened || kind === 'red-packet' || !may('refund')} refresh={refresh} />
        {phase !== 'ended' && archivedAt === undefined && <EmbedPanel sale={sale} />}
        <FoldedPanel id="settings" title={voice.t('console.facts')} text={voice.t('rare.settings')}>
          <FactsList rows={settingsOf(voice, sale)} />
        </FoldedPanel>
      </div>
    </>
  )
}

/** Asks what will happen to whom, and acts; true when the sale was changed. `onBusy`: it begins or ends. */
export async function confirmFlip(
  context: ViewContext,
  live: Live,
  action: SaleAction,
  onBusy: (busy: boolean) => void,
): Promise<boolean> {
  const { voice } = context
  const { sale } = live
  const { title, effects, choice } = question(voice, live, action)
  if (!(await askBefore(voice, { title, effects, choice }))) return false
  context.announce(voice.t('do.working'))
  onBusy(true)
  const answer = await done(sale.saleId, choice.value)
  onBusy(false)
  if (!answer.ok) context.announce(failureText(voice, answer.reply))
  else if (choice.value === 'delete') context.go('#/', voice.t('did.delete'))
  else context.announce(flippedText(voice, answer.value, live, choice.value), 'passes')
  return answer.ok
}

/** The state of the sale after an action, and how many units are left, as far as that is known. */
function flippedText(voice: ConsoleVoice, sale: Sale, { stock, now: before }: Live, action: SaleAction): string {
  const left = stock?.available ?? -1
  // The live numbers are from before the start.
  const now = action === 'open-now' ? Math.max(before, sale.startsAt) : before
  const phase = phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, left)
  const state = startBadge(voice, { sale, phase, now }).text
  return left < 0
    ? voice.t('did.flip', { state })
    : voice.t('did.flipLeft', { state, left: left.toLocaleString(voice.locale()) })
}

function done(saleId: SaleId, action: SaleAction) {
  if (action === 'delete') return control.deleteSale({ saleId })
  if (action === 'start' || action === 'open-now') return requestStart(saleId, action)
  return control[action]({ saleId })
}

type Question = { title: string; effects: string[]; choice: Choice<SaleAction> }

function question(voice: ConsoleVoice, live: Live, action: SaleAction): Question {
  const { sale, phase, inStep, now } = live
  const say = sayFor(voice, sale.kind)
  if (action === 'warm' || repeatOf({ ...sale, phase, inStep }) === action) {
    return {
      title: voice.t('ask.repeat'),
      effects: [voice.t('ask.repeatText')],
      choice: { value: action, label: voice.t('do.repeat'), kind: 'main' },
    }
  }
  if (action === 'start' || action === 'open-now') {
    const asked = startQuestion(voice, action, sale, now)
    const label = voice.t(`do.${asked.action}`)
    return { ...asked, choice: { value: asked.action, label, kind: 'main' } }
  }
  const isDanger = action === 'close' || action === 'delete'
  return {
    title: say(`ask.${action}`),
    effects: [
      action === 'resume' && now < sale.startsAt
        ? startText(voice, sale, now)
        : say(`ask.${action}Text`, { stock: stockText(voice, sale), money: moneyText(voice, sale) }),
      ...(action === 'delete' ? partsOfOptions.flatMap(({ onDeletion }) => onDeletion?.(sale) ?? []) : []).map((key) =>
        voice.t(key),
      ),
      ...(action === 'pause' || action === 'close' ? leftEffects(voice, live) : []),
    ],
    choice: { value: action, label: say(`do.${action}`), kind: isDanger ? 'danger' : 'main' },
  }
}

/** The windows of a sale, the present one marked (R7). */
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
