/** Renders the brand of the shop on a page: name, logo, colours, links and support. */
import { type Brand, type BrandText, brandTextIn, languagesIn, supportHref } from '../../core/brand.ts'
import { type AccentShades, schemes, shadesOf } from '../../core/contrast.ts'
import type { Language } from '../../core/language.ts'
import { pictureUrl, uploadedPicture } from '../../core/sale/pictures.ts'
import { footerMessages, sharedMessages } from '../messages/catalogues.ts'
import { shopName } from '../messages/shop-name.ts'
import { type Text, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, textsAttribute, translator } from './say.ts'

const { say } = translator(sharedMessages)

/** Renders the `title` of a page, which ends with the name of the shop. */
export function titleElement(brand: Brand, titleIn: (language: Language) => string): Html {
  const whole = (language: Language) => `${titleIn(language)} · ${shopName(brand, language)}`
  return html`<title${textsAttribute(whole)}>${whole(ownLanguage())}</title>`
}

/** Renders the `title` of a page with a fixed text. */
export const titled = (text: Text, brand: Brand): Html => titleElement(brand, (language) => words(text, language))

const gate = html`<svg class="wordmark__gate" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M4 3v18M20 3v18M8 3v9M12 3v9M16 3v9"/><path class="wordmark__water" d="M7 17c1.7-1.6 3.3-1.6 5 0s3.3 1.6 5 0"/></svg>`

/** Renders the name or logo of the shop, which links to its first page. */
export function wordmark(brand: Brand): Html {
  return html`<a class="wordmark" href="/">${mark(brand)}</a>`
}

function mark(brand: Brand): Html {
  const { name, logo } = brand
  if (logo !== undefined) return logoImage(logo, shopName(brand, ownLanguage()))
  const text = html`<span dir="auto"${textsAttribute((language) => shopName(brand, language))}>${shopName(brand, ownLanguage())}</span>`
  return name === undefined ? html`${gate}${text}` : text
}

/** The largest logo, in CSS px. */
const logoBox = { width: 160, height: 36 }

function logoImage(logo: string, alt: string): Html {
  const { width = 1, height = 1 } = uploadedPicture(logo) ?? {}
  const scale = Math.min(logoBox.width / width, logoBox.height / height)
  const [shownWidth, shownHeight] = [width, height].map((side) => Math.max(1, Math.round(side * scale)))
  return html`<img src="${pictureUrl(logo, logoWidth)}" width="${shownWidth ?? 1}" height="${shownHeight ?? 1}" alt="${alt}">`
}

/** The width of the logo file: 160 CSS px on a screen with three pixels for one of CSS. */
const logoWidth = 480

/** Renders the tab icon; `icon` if the shop has no logo. A logo is the file of the header, so the browser requests it once. */
export function tabIcon({ logo }: Brand, icon: string): Html {
  return logo === undefined
    ? html`<link rel="icon" type="image/svg+xml" href="${icon}">`
    : html`<link rel="icon" type="image/webp" href="${pictureUrl(logo, logoWidth)}">`
}

/** Renders the footer: tagline, legal links, accessibility statement and support. */
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

/** Returns the `lang` of a text in one language, because the page may have another, or all its texts. */
function textsOf(text: BrandText): Html {
  const [only, ...others] = languagesIn(text)
  if (only !== undefined && others.length === 0) return html` lang="${only}"`
  return textsAttribute((language) => brandTextIn(text, language))
}

/**
 * Returns the style sheet with the colours of a brand; undefined if it has none. The path contains the colours, so the
 * file is never rewritten and always fits the page.
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

/** Renders the link to the colours, which follows the page's own styles. */
export function brandLink(brand: Brand): Html {
  const style = brandStyle(brand)
  return style === undefined ? html`` : html`<link rel="stylesheet" href="/${style.path}">\n`
}
