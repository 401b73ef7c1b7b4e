/** Runs the shop's index: updates phase, count and countdown of each card from the pointers at the CDN. */
import { parseSaleId, type SaleId } from '../core/ids.ts'
import { type SaleKind, saleKinds } from '../core/sale/kinds.ts'
import { pageStart } from '../core/sale/page-phase.ts'
import type { Phase } from '../core/sale/phase.ts'
import type { Pointer } from '../core/sale/pointer.ts'
import type { shopMessages } from '../templates/messages/catalogues.ts'
import { shopPatterns } from '../templates/messages/page-patterns.ts'
import { clockText } from '../templates/messages/time-text.ts'
import { localNow, shopClock } from '../web/clock.ts'
import { setText } from '../web/dom.ts'
import { pageVoice } from '../web/page-voice.ts'
import { fetchPointer, loadCountdown } from './sale/load-state.ts'
import { type CardData, cardPhase, isDelayed, needsCountdown } from './sale/phase-seen.ts'

const voice = await pageVoice<keyof typeof shopMessages>('shop', shopPatterns)
const everyMs = 8000
const { now, take } = shopClock(localNow)
let isArranged = false

/** The order of the cards: open sales first, ended ones last. */
const ranks: readonly Phase[] = ['open', 'scheduled', 'paused', 'draft', 'held-back', 'sold-out', 'ended']

const leftKeys = {
  goods: 'shop.left',
  coupon: 'shop.couponsLeft',
  'red-packet': 'shop.packetsLeft',
} as const satisfies Record<SaleKind, string>

type Card = { element: HTMLElement; saleId: SaleId; seen: CardData | undefined }

const cards = [...document.querySelectorAll<HTMLElement>('.card')].flatMap((element): Card[] => {
  const saleId = parseSaleId(element.dataset.saleId)
  return saleId === undefined ? [] : [{ element, saleId, seen: undefined }]
})

async function poll(): Promise<void> {
  if (!document.hidden) {
    await Promise.all(cards.map(readCard))
    draw()
    if (!isArranged) arrange()
    isArranged = true
  }
  window.setTimeout(poll, everyMs + Math.random() * 2000)
}

async function readCard(card: Card): Promise<void> {
  const fresh = await fetchPointer(fetch, card.saleId)
  if (fresh !== undefined) take(fresh.clock)
  const pointer = fresh?.pointer ?? card.seen?.pointer
  if (pointer === undefined) return
  const seen = { pointer, countdown: card.seen?.countdown }
  card.seen = needsCountdown(seen, now()) ? { pointer, countdown: await loadCountdown(pointer.src) } : seen
}

/** Passes the campaign on to the sale pages (core/orders/order-message.ts). */
const source = new URLSearchParams(location.search).get('utm_source')
if (source !== null) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.card a')) {
    link.search = new URLSearchParams({ utm_source: source }).toString()
  }
}

const phaseOf = ({ seen }: Card): Phase => (seen === undefined ? 'scheduled' : cardPhase(seen, now()))

const rank = (card: Card): number => ranks.indexOf(phaseOf(card))

/** Returns the start of a scheduled sale, or the end of another one, epoch ms. */
function nextMoment({ element, seen }: Card): number {
  if (seen === undefined) return Number(element.dataset.startsAt)
  return cardPhase(seen, now()) === 'scheduled' ? pageStart(seen.pointer, now()) : seen.pointer.endsAt
}

/** Sorts the cards, only once: cards must not move under a finger. */
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
  const isLate = phase === 'scheduled' && isDelayed(pageStart(seen.pointer, now()), now())
  const kind = saleKinds.find((known) => known === element.dataset.kind) ?? 'goods'
  if (badge !== null) setText(badge, voice.t(isLate ? 'phase.delayed' : (phaseKeys[kind][phase] ?? `phase.${phase}`)))
  if (when !== null) setText(when, whenText(phase, seen.pointer, leftKeys[kind]))
}

type Key = keyof typeof shopMessages

/** Kinds with their own words for “open” and “sold out”. */
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
  const startsAt = pageStart(pointer, now())
  if (isDelayed(startsAt, now())) return voice.t('shop.delayed')
  return startsAt <= now() ? voice.t('shop.anyMoment') : timeText(startsAt, 'shop.startsIn', 'shop.startsAt')
}

/** Writes the time until `ms` within a day; later the moment itself. */
function timeText(ms: number, soon: Key, later: Key): string {
  const leftMs = ms - now()
  return leftMs < 86_400_000
    ? voice.t(soon, { time: clockText(leftMs, voice.t('time.d')) })
    : voice.t(later, { time: voice.shortMoment(ms) })
}

voice.onChange(draw)
window.setInterval(draw, 1000)
if (cards.length > 0) void poll()
