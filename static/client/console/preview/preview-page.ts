/**
 * The page of a sale as a document that is not shown yet: written by the renderer of the published
 * page, and brought to a moment of the sale by what its own script draws with.
 */
import { type Brand, offeredBy } from '../../../../core/brand.ts'
import type { Language } from '../../../../core/language.ts'
import type { Patterns } from '../../../messages/text.ts'
import type { Assets } from '../../../pages/layout.ts'
import type { PublicSale } from '../../../pages/opening.ts'
import { renderRainPage } from '../../../pages/rain.ts'
import { renderSalePage } from '../../../pages/sale.ts'
import { beforeChoice, buttonState } from '../../buy/button.ts'
import { markLanguage, type Voice, voiceOf } from '../../lib/voice.ts'
import { catchButton } from '../../packets/claim.ts'
import type { OpeningKey } from '../../sale/news.ts'
import { saleView } from '../../sale/opening-view.ts'
import { roundsView } from '../../sale/rounds.ts'
import { type Moment, momentOf, type PreviewState } from './preview-sale.ts'

/** `standIn`: the title is one, because none is typed. `now` is epoch ms. */
type Drawn = {
  sale: PublicSale
  standIn: boolean
  state: PreviewState
  language: Language
  brand: Brand
  assets: Assets
  /** The words of the page, as `previewWords` names them. */
  patterns: Patterns
  now: number
}

/** A whole document without scripts, links that lead away, and controls that the keyboard would stop at. */
export function previewPage({ sale, standIn, state, language, brand, assets, patterns, now }: Drawn): Document {
  const render = sale.kind === 'red-packet' ? renderRainPage : renderSalePage
  // In the language of the preview, which the shop may not offer.
  const languages = [language, ...offeredBy(brand).filter((one) => one !== language)]
  const text = render(sale, assets, { now, shopUrl: undefined, brand: { ...brand, languages } })
  const page = new DOMParser().parseFromString(text, 'text/html')
  markLanguage(page.documentElement, language)
  const messages = Object.entries(patterns).map(([key, pattern]) => [key, { [language]: pattern }])
  const voice: Voice<OpeningKey> = voiceOf(Object.fromEntries(messages), language)
  voice.speak(page)
  drawMoment(voice, sale, momentOf(sale, state, now), page)
  const heading = page.querySelector('h1')
  if (standIn && heading !== null) heading.style.opacity = '0.4'
  disarm(page)
  return page
}

/** The name of the files with the words of the page of this sale. */
export function previewWords({ kind, variants }: PublicSale): string {
  if (kind === 'red-packet') return 'rain'
  if (kind === 'coupon') return 'coupon'
  return variants === undefined ? 'sale' : 'variants'
}

function drawMoment(
  voice: Voice<OpeningKey>,
  sale: PublicSale,
  { phase, now, remaining }: Moment,
  page: Document,
): void {
  const { startsAt, endsAt, windows, kind, variants } = sale
  const facts = {
    ...{ phase, now, startsAt, returnedAt: undefined, hasToken: true, jitterMs: 0, turnMs: 0, restLeftMs: 0 },
    ...{ sending: false, won: false, unsure: false, owns: false, hold: undefined },
  }
  const state = kind === 'red-packet' ? catchButton(facts) : buttonState(facts)
  const button = variants === undefined ? state : beforeChoice(state)
  const part = (id: string) => {
    const found = page.getElementById(id)
    if (found === null) throw new Error(`the page of a sale has no part with the id ${id}`)
    return found
  }
  saleView(voice, part).draw({ phase, button, now, hasTime: true, startsAt, endsAt, remaining, total: sale.stock })
  const nextStartsAt = windows[1]?.startsAt ?? null
  roundsView(voice, part).draw({ startsAt, endsAt, nextStartsAt }, phase, now)
}

/** Leaves what can be seen and read, and nothing that acts, leads away or speaks by itself. */
function disarm(page: Document): void {
  for (const part of page.querySelectorAll('script, noscript, meta, .skip, link:not([rel="stylesheet"])')) {
    part.remove()
  }
  for (const link of page.querySelectorAll('a')) link.removeAttribute('href')
  for (const control of page.querySelectorAll<HTMLElement>('button, input')) control.tabIndex = -1
  for (const news of page.querySelectorAll('[role="status"]')) {
    news.removeAttribute('role')
    news.removeAttribute('aria-live')
  }
}
