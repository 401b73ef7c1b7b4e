/** One sale: its face and flips, and its panels; looked at every second. */

import type { Live } from '../../../../core/api/control.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { make } from '../../lib/dom.ts'
import { changeStock, getLive, type Refused } from '../api.ts'
import { stockKeys, type UnitsChange } from '../stock/stock-keys.ts'
import { type ConsoleVoice, type Leave, reasonText, type ViewContext } from '../view.ts'
import type { Action } from './actions.ts'
import { flip } from './flip.ts'
import { shownLive } from './notices.ts'
import { recover } from './repairs.ts'
import { saleFace } from './sale-face.ts'
import { salePanels } from './sale-panels.ts'

const everyMs = 1000
const unseenEveryMs = 10_000
/** An answer takes much less; without one nothing is known of the sale. */
const lateAfterMs = 5000

// Outlives a view, which another language or a visit to the list draws again.
const keys = stockKeys(() => crypto.randomUUID())

export function openSale(context: ViewContext, saleId: string): Leave {
  const { voice } = context
  let timer = 0
  let left = false
  let failing = false
  let latest: Live | undefined
  let flipping = false
  let panels: ReturnType<typeof salePanels> | undefined

  const back = make('p', {}, make('a', { class: 'back', href: '#/' }, voice.t('console.back')))
  const face = saleFace(voice, {
    may: context.may,
    act: (action) => void act(action),
    async recover() {
      if (latest === undefined) return
      await recover(context, latest.sale, latest.orders)
      lookAgain()
    },
  })
  context.show(back, ...face.elements)

  async function look(): Promise<void> {
    const early = flipping
    const late = window.setTimeout(() => latest && panels?.lose(latest.now), lateAfterMs)
    const answer = await getLive(saleId)
    clearTimeout(late)
    if (left) return
    if (answer.ok) {
      if (failing) context.announce('')
      failing = false
      draw(shownLive(answer.value, early || flipping))
    } else {
      failing = true
      if (latest !== undefined) panels?.lose(latest.now)
      if (latest !== undefined && answer.reply.kind === 'lost') context.announce(voice.t('live.lost'))
      else if (context.explain(answer.reply)) return
    }
    clearTimeout(timer)
    timer = window.setTimeout(look, document.hidden ? unseenEveryMs : everyMs)
  }

  function lookAgain(): void {
    if (!left) void look()
  }

  /** Which panels there are follows from the kind of the sale, and that never changes. */
  function build(sale: Sale): ReturnType<typeof salePanels> {
    const restock = (change: UnitsChange) => changeUnits(context, saleId, change).then(lookAgain)
    const built = salePanels(context, sale, { restock, lookAgain })
    context.show(back, ...face.elements, ...built.elements)
    return built
  }

  function draw(now: Live): void {
    latest = now
    panels ??= build(now.sale)
    if (face.draw(now)) panels.drawSale(now.sale)
    panels.draw(now)
  }

  async function act(action: Action): Promise<void> {
    if (latest === undefined) return
    const changed = await flip(context, latest, action, (busy) => {
      flipping = busy
    })
    if (changed) lookAgain()
  }

  void look()
  return () => {
    left = true
    clearTimeout(timer)
    panels?.leave()
  }
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
