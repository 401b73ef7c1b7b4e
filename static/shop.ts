/** The shop's index: keeps every card's phase, count and waiting time fresh from the CDN's pointers. */
import { parseSaleId, type SaleId } from '../core/ids.ts'
import { type SaleKind, saleKinds } from '../core/sale/kinds.ts'
import { startSeen } from '../core/sale/page-phase.ts'
import type { Phase } from '../core/sale/phase.ts'
import type { Pointer } from '../core/sale/pointer.ts'
import type { shopMessages } from '../templates/messages/catalogues.ts'
import { shopPatterns } from '../templates/messages/page-patterns.ts'
import { clockText } from '../templates/messages/time-text.ts'
import { localNow, shopClock } from '../web/clock.ts'
import { setText } from '../web/dom.ts'
import { pageVoice } from '../web/page-voice.ts'
import { type CardSeen, cardPhase, isDelayed, wantsCountdown } from './sale/phase-seen.ts'
import { loadCountdown, lookAtPointer } from './sale/pointer-look.ts'

const voice = await pageVoice<keyof typeof shopMessages>('shop', shopPatterns)
const everyMs = 8000
const { now, take } = shopClock(localNow)
let arranged = false

/** Sales that can be bought come first, those that are over last. */
const ranks: readonly Phase[] = ['open', 'scheduled', 'paused', 'draft', 'held-back', 'sold-out', 'ended']

const leftKeys = {
  goods: 'shop.left',
  coupon: 'shop.couponsLeft',
  'red-packet': 'shop.packetsLeft',
} as const satisfies Record<SaleKind, string>

type Card = { element: HTMLElement; saleId: SaleId; seen: CardSeen | undefined }

const cards = [...document.querySelectorAll<HTMLElement>('.card')].flatMap((element): Card[] => {
  const saleId = parseSaleId(element.dataset.saleId)
  return saleId === undefined ? [] : [{ element, saleId, seen: undefined }]
})

async function look(): Promise<void> {
  if (!document.hidden) {
    await Promise.all(cards.map(lookAt))
    draw()
    if (!arranged) arrange()
    arranged = true
  }
  window.setTimeout(look, everyMs + Math.random() * 2000)
}

async function lookAt(card: Card): Promise<void> {
  const fresh = await lookAtPointer(fetch, card.saleId)
  if (fresh !== undefined) take(fresh.clock)
  const pointer = fresh?.pointer ?? card.seen?.pointer
  if (pointer === undefined) return
  const seen = { pointer, countdown: card.seen?.countdown }
  card.seen = wantsCountdown(seen, now()) ? { pointer, countdown: await loadCountdown(pointer.src) } : seen
}

/** A campaign that leads here is known to the pages of the sales, too (core/orders/order-message.ts). */
const source = new URLSearchParams(location.search).get('utm_source')
if (source !== null) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.card a')) {
    link.search = new URLSearchParams({ utm_source: source }).toString()
  }
}

const phaseOf = ({ seen }: Card): Phase => (seen === undefined ? 'scheduled' : cardPhase(seen, now()))

const rank = (card: Card): number => ranks.indexOf(phaseOf(card))

/** The start of a sale that waits for it, the end of any other, epoch ms. */
function nextMoment({ element, seen }: Card): number {
  if (seen === undefined) return Number(element.dataset.startsAt)
  return cardPhase(seen, now()) === 'scheduled' ? startSeen(seen.pointer, now()) : seen.pointer.endsAt
}

/** Once only: cards that move under a finger would be worse than cards in the wrong place. */
function arrange(): void {
  const sorted = [...cards].sort((a, b) => rank(a) - rank(b) || nextMoment(a) - nextMoment(b))
  document.getElementById('cards')?.append(...sorted.map(({ element }) => element))
}

function draw(): void {
  for (const card of cards) drawCard(card)
}

function drawCard({ element, seen }: Card): void {
  if (seen === undefined) return
  const phase = cardPhase(seen, now())
  element.dataset.phase = phase
  const badge = element.querySelector('.badge')
  const when = element.querySelector('.card__when')
  const isLate = phase === 'scheduled' && isDelayed(startSeen(seen.pointer, now()), now())
  const kind = saleKinds.find((known) => known === element.dataset.kind) ?? 'goods'
  if (badge !== null) setText(badge, voice.t(isLate ? 'phase.delayed' : (phaseKeys[kind][phase] ?? `phase.${phase}`)))
  if (when !== null) setText(when, whenText(phase, seen.pointer, leftKeys[kind]))
}

type Key = keyof typeof shopMessages

/** Each kind has its own words for being open and for having nothing left. */
const phaseKeys: Record<SaleKind, Partial<Record<Phase, Key>>> = {
  goods: {},
  coupon: { open: 'shop.coupon.open', 'sold-out': 'shop.coupon.sold-out' },
  'red-packet': { open: 'shop.red-packet.open', 'sold-out': 'shop.red-packet.sold-out' },
}

function whenText(phase: Phase, pointer: Pointer, left: (typeof leftKeys)[SaleKind]): string {
  const { remaining } = pointer
  if (phase === 'open') {
    const units = remaining === -1 ? voice.t('shop.unlimited') : voice.t(left, { remaining })
    return `${units} · ${timeText(pointer.endsAt, 'shop.endsIn', 'shop.endsAt')}`
  }
  if (phase === 'sold-out') {
    const next = pointer.nextStartsAt
    return next === null ? voice.t('shop.none') : voice.t('shop.nextRound', { time: voice.shortMoment(next) })
  }
  if (phase === 'paused' || phase === 'held-back') return voice.t('shop.paused')
  if (phase === 'ended') return voice.t('shop.ended')
  const startsAt = startSeen(pointer, now())
  if (isDelayed(startsAt, now())) return voice.t('shop.delayed')
  return startsAt <= now() ? voice.t('shop.anyMoment') : timeText(startsAt, 'shop.startsIn', 'shop.startsAt')
}

/** How long it is until `ms`, within a day; the moment itself when it is later. */
function timeText(ms: number, soon: Key, later: Key): string {
  const leftMs = ms - now()
  return leftMs < 86_400_000
    ? voice.t(soon, { time: clockText(leftMs, voice.t('time.d')) })
    : voice.t(later, { time: voice.shortMoment(ms) })
}

voice.onChange(draw)
window.setInterval(draw, 1000)
if (cards.length > 0) void look()
