/** What a page shows of the shop's brand: its name, logo, colours, links and support. */
import { type Brand, type BrandText, brandTextIn, languagesIn, supportHref } from '../../core/brand.ts'
import { type AccentShades, schemes, shadesOf } from '../../core/contrast.ts'
import type { Language } from '../../core/language.ts'
import { addressOf, uploadedPicture } from '../../core/sale/pictures.ts'
import { footerMessages, sharedMessages } from '../messages/catalogues.ts'
import { shopName } from '../messages/shop-name.ts'
import { type Text, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, speaker, textsAttribute } from './say.ts'

const { say } = speaker(sharedMessages)

/** The `title` element of a page, which ends with the name of the shop. */
export function titleElement(brand: Brand, titleIn: (language: Language) => string): Html {
  const whole = (language: Language) => `${titleIn(language)} · ${shopName(brand, language)}`
  return html`<title${textsAttribute(whole)}>${whole(ownLanguage())}</title>`
}

/** The same for a page that is called `text`. */
export const titled = (text: Text, brand: Brand): Html => titleElement(brand, (language) => words(text, language))

const gate = html`<svg class="wordmark__gate" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M4 3v18M20 3v18M8 3v9M12 3v9M16 3v9"/><path class="wordmark__water" d="M7 17c1.7-1.6 3.3-1.6 5 0s3.3 1.6 5 0"/></svg>`

/** The name or logo of the shop, which leads to its first page. */
export function wordmark(brand: Brand): Html {
  return html`<a class="wordmark" href="/">${mark(brand)}</a>`
}

function mark(brand: Brand): Html {
  const { name, logo } = brand
  if (logo !== undefined) return logoImage(logo, shopName(brand, ownLanguage()))
  const text = html`<span dir="auto"${textsAttribute((language) => shopName(brand, language))}>${shopName(brand, ownLanguage())}</span>`
  return name === undefined ? html`${gate}${text}` : text
}

/** In CSS px. */
const logoBox = { width: 160, height: 36 }

function logoImage(logo: string, alt: string): Html {
  const { width = 1, height = 1 } = uploadedPicture(logo) ?? {}
  const scale = Math.min(logoBox.width / width, logoBox.height / height)
  const [shownWidth, shownHeight] = [width, height].map((side) => Math.max(1, Math.round(side * scale)))
  return html`<img src="${addressOf(logo, logoWidth)}" width="${shownWidth ?? 1}" height="${shownHeight ?? 1}" alt="${alt}">`
}

/** Enough for a screen with three pixels to one of CSS, in which a logo is at most 160 px wide. */
const logoWidth = 480

/**
 * The icon of the browser's tab; `icon` is that of a shop without a logo. A logo is that of the header, so that a browser
 * requests it once.
 */
export function tabIcon({ logo }: Brand, icon: string): Html {
  return logo === undefined
    ? html`<link rel="icon" type="image/svg+xml" href="${icon}">`
    : html`<link rel="icon" type="image/webp" href="${addressOf(logo, logoWidth)}">`
}

/** The footer: the tagline, the legal links, the accessibility statement and the way to support. */
export function footer({ tagline, links = [], support }: Brand): Html {
  const line =
    tagline === undefined
      ? say('foot.line')
      : html`<span${textsOf(tagline)}>${brandTextIn(tagline, ownLanguage())}</span>`
  const all = [
    ...links.map(({ label, href }) => link(href, textsOf(label), brandTextIn(label, ownLanguage()))),
    footLink('/accessibility/', 'foot.accessibility'),
    ...(support === undefined ? [] : [footLink(supportHref(support), 'foot.support')]),
  ]
  const row = all.map((one, at) => (at === 0 ? one : html` · ${one}`))
  return html`<footer class="foot"><p>${line}</p><p>${row}</p></footer>`
}

const link = (href: string, texts: Html, text: string): Html => html`<a href="${href}"${texts}>${text}</a>`

function footLink(href: string, key: 'foot.accessibility' | 'foot.support'): Html {
  const textIn = (language: Language) => words(footerMessages[key], language)
  return link(href, textsAttribute(textIn), textIn(ownLanguage()))
}

/** A text in one language says which, for it may stand on a page in the other. */
function textsOf(text: BrandText): Html {
  const [only, ...others] = languagesIn(text)
  if (only !== undefined && others.length === 0) return html` lang="${only}"`
  return textsAttribute((language) => brandTextIn(text, language))
}

/**
 * The style sheet with the colours of a brand; undefined for one without. Its path names the colours,
 * so it is never rewritten, and a page and its colours always belong together.
 */
export function brandStyle({ colours }: Brand): { path: string; body: string } | undefined {
  if (colours === undefined) return undefined
  const [light, dark] = schemes.map((scheme) => variables(shadesOf(colours[scheme].toLowerCase(), scheme)))
  const name = `${colours.light}-${colours.dark}`.replaceAll('#', '').toLowerCase()
  return {
    path: `brand/${name}.css`,
    body: `:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}\n`,
  }
}

const variables = ({ accent, deep, ink, wash }: AccentShades): string =>
  `--accent:${accent};--accent-deep:${deep};--accent-ink:${ink};--accent-wash:${wash}`

/** The link to the colours, after the page's own styles. */
export function brandLink(brand: Brand): Html {
  const style = brandStyle(brand)
  return style === undefined ? html`` : html`<link rel="stylesheet" href="/${style.path}">\n`
}
