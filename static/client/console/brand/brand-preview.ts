/** The brand while it is entered: a header, a price and a button, on a light and on a dark screen. */
import { isColour } from '../../../../core/brand.ts'
import {
  accentContrast,
  minContrast,
  type Scheme,
  schemes,
  shadesOf,
  surfaces,
} from '../../../../core/contrast.ts'
import { addressOf } from '../../../../core/sale/pictures.ts'
import { make, setText } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'

export type Shown = { name: string; logo: string | undefined; colours: Readonly<Record<Scheme, string>> }

export function brandPreview(voice: ConsoleVoice) {
  const views = schemes.map((scheme) => schemeView(voice, scheme))
  return {
    element: make('div', { class: 'brand-previews' }, ...views.map(({ element }) => element)),
    draw: (shown: Shown) => {
      for (const view of views) view.draw(shown)
    },
  }
}

function schemeView(voice: ConsoleVoice, scheme: Scheme) {
  const mark = make('strong', { class: 'brand-preview__mark' })
  const button = make('span', { class: 'button' }, voice.t('brand.sampleButton'))
  const price = make('span', { class: 'brand-preview__price' }, voice.money(2400, 'EUR'))
  const contrast = make('p', { class: 'field__hint', role: 'status', 'data-contrast': scheme })
  const card = make('div', { class: 'brand-preview', 'data-scheme': scheme }, mark, price, button)
  const element = make('figure', {}, make('figcaption', {}, voice.t(`brand.${scheme}`)), card, contrast)
  return {
    element,
    draw({ name, logo, colours }: Shown) {
      const accent = colours[scheme]
      const isGiven = isColour(accent)
      const { accent: fill, deep, ink } = shadesOf(isGiven ? accent : usual[scheme], scheme)
      mark.replaceChildren(
        logo === undefined ? name : make('img', { src: addressOf(logo, 160), alt: name, height: 36 }),
      )
      // The policy of the page forbids styles in its HTML, and allows them to scripts.
      card.style.background = surfaces[scheme][0] ?? ''
      card.style.color = textColours[scheme]
      price.style.color = deep
      button.style.background = fill
      button.style.color = ink
      const ratio = isGiven ? accentContrast(accent, scheme) : undefined
      const isLow = ratio !== undefined && ratio < minContrast
      contrast.classList.toggle('field__error', isLow)
      setText(
        contrast,
        ratio === undefined
          ? ''
          : voice.t(isLow ? 'brand.contrastLow' : 'brand.contrast', { ratio: ratio.toFixed(2) }),
      )
    },
  }
}

/** `--accent` and `--ink` of `static/styles/base.css`. */
export const usual: Readonly<Record<Scheme, string>> = { light: '#bf3617', dark: '#ff8a69' }
const textColours: Readonly<Record<Scheme, string>> = { light: '#1d1b18', dark: '#f4f0e8' }
