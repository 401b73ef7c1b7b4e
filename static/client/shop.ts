/** The shop's index: keeps every card's phase, count and waiting time fresh from the CDN's pointers. */
import type { Phase } from '../../core/phase.ts'
import type { Pointer } from '../../core/pointer.ts'
import { shopMessages } from '../messages/shop.ts'
import { localNow } from './clock.ts'
import { setText } from './dom.ts'
import { call } from './http.ts'
import { phaseSeen } from './phase-seen.ts'
import { shopOffsetMs } from './shop-clock.ts'
import { startVoice } from './voice.ts'
import { readPointer } from './wire.ts'

const voice = startVoice(shopMessages)
const fetch = window.fetch.bind(window)
const everyMs = 8000
let offsetMs = 0
let arranged = false

// What can be bought comes first, what is over last.
const ranks: Record<Phase, number> = { open: 0, scheduled: 1, paused: 2, draft: 3, 'sold-out': 4, ended: 5 }

type Card = { element: HTMLElement; saleId: string; pointer: Pointer | undefined }

const cards = [...document.querySelectorAll<HTMLElement>('.card')].map((element): Card => {
  return { element, saleId: element.dataset.saleId ?? '', pointer: undefined }
})

async function look(): Promise<void> {
  if (!document.hidden) {
    await Promise.all(
      cards.map(async (card) => {
        const reply = await call(fetch, `/sales/${card.saleId}/current.json`)
        card.pointer = (reply.kind === 'ok' ? readPointer(reply.body) : undefined) ?? card.pointer
      }),
    )
    draw()
    if (!arranged) arrange()
    arranged = true
  }
  window.setTimeout(look, everyMs + Math.random() * 2000)
}

/** Once only: cards that move under a finger would be worse than cards in the wrong place. */
function arrange(): void {
  const rank = ({ pointer }: Card) => ranks[pointer?.phase ?? 'scheduled']
  const sorted = [...cards].sort((a, b) => rank(a) - rank(b))
  document.getElementById('cards')?.append(...sorted.map(({ element }) => element))
}

function draw(): void {
  for (const card of cards) drawCard(card)
}

function drawCard({ element, pointer }: Card): void {
  if (pointer === undefined) return
  const now = localNow() + offsetMs
  // A card does not load the countdown, so it believes the pointer's own phase and lets only the end pass by.
  const started = pointer.phase !== 'scheduled'
  const countdown = { ...pointer, started }
  const phase = phaseSeen({ pointer, countdown }, now, pointer.remaining)
  element.dataset.phase = phase
  const badge = element.querySelector('.badge')
  const when = element.querySelector('.card__when')
  if (badge !== null) setText(badge, voice.t(`phase.${phase}`))
  if (when !== null) setText(when, whenText(phase, pointer, now))
}

function whenText(phase: Pointer['phase'], pointer: Pointer, now: number): string {
  const { remaining } = pointer
  if (phase === 'open') {
    return remaining === -1 ? voice.t('shop.unlimited') : voice.t('shop.left', { remaining })
  }
  if (phase === 'sold-out') return voice.t('shop.none')
  if (phase === 'paused') return voice.t('shop.paused')
  if (phase === 'ended') return voice.t('shop.ended')
  const left = pointer.startsAt - now
  if (left <= 0) return voice.t('shop.anyMoment')
  const soon = left < 86_400_000
  return soon
    ? voice.t('shop.startsIn', { time: voice.clock(left) })
    : voice.t('shop.startsAt', { time: voice.shortMoment(pointer.startsAt) })
}

voice.onChange(draw)
window.setInterval(draw, 1000)
void look()
if (cards.length > 0) offsetMs = (await shopOffsetMs(fetch, 1)) ?? 0
