/** One sale: its face and flips, and its panels; looked at every second. */
import type { Live } from '../../../../core/api/control-answers.ts'
import { changeStock, getLive, type Refused } from '../api.ts'
import { stockKeys, type UnitsChange } from '../stock/stock-keys.ts'
import { type ConsoleVoice, reasonText, type ViewContext } from '../view.ts'
import type { Action } from './actions.ts'
import { flip } from './flip.ts'
import { shownLive } from './notices.ts'
import { SaleFace } from './sale-face.tsx'
import { SalePanels } from './sale-panels.tsx'

const everyMs = 1000
const unseenEveryMs = 10_000
/** An answer takes much less; without one nothing is known of the sale. */
const lateAfterMs = 5000

// Outlives a view, which another language or a visit to the list draws again.
const keys = stockKeys(() => crypto.randomUUID())

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
    const answer = await getLive(saleId)
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

  const lookAgain = () => void look()

  function lose(): void {
    if (live === undefined) return
    lostSince = live.now
    draw()
  }

  async function act(action: Action): Promise<void> {
    if (live === undefined) return
    const isChanged = await flip(context, live, action, (isBusy) => {
      isFlipping = isBusy
    })
    if (isChanged) lookAgain()
  }

  const restock = (change: UnitsChange) => changeUnits(context, saleId, change).then(lookAgain)

  function draw(): void {
    context.draw(
      <>
        <p>
          <a class="back" href="#/">
            {voice.t('console.back')}
          </a>
        </p>
        <SaleFace live={live} act={(action) => void act(action)} lookAgain={lookAgain} />
        {live && <SalePanels {...{ live, lostSince, restock, lookAgain }} />}
      </>,
    )
  }

  draw()
  lookAgain()
}
/** Adds units, or removes some, and announces the outcome. */
async function changeUnits(context: ViewContext, saleId: string, change: UnitsChange): Promise<void> {
  const { voice } = context
  context.announce(voice.t('do.working'))
  const answer = await changeStock(saleId, change, keys.keyOf(saleId, change))
  if (answer.ok) keys.done(saleId)
  context.announce(answer.ok ? voice.t('do.done') : restockRefused(voice, answer.reply))
}

/**
 * Without a definite answer it is unknown whether the units were counted; repeating the same
 * request shows it.
 */
function restockRefused(voice: ConsoleVoice, reply: Refused): string {
  const definite = reply.kind === 'refused' && reply.status < 500
  return definite ? reasonText(voice, reply) : voice.t('stock.again')
}
