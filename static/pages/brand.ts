/** What a page shows of the shop's brand: its name, logo, colours, links and support. */
import { type Brand, type BrandText, shopName, supportHref } from '../../core/brand.ts'
import { type AccentShades, schemes, shadesOf } from '../../core/contrast.ts'
import { type Language, languages } from '../../core/language.ts'
import { addressOf, uploadedPicture } from '../../core/pictures.ts'
import { sharedMessages } from '../messages/shared.ts'
import { type Text, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { speaker } from './say.ts'

const { say } = speaker(sharedMessages)

/** The attribute with the text of each language; empty where all readers get the same. */
export function textsAttribute(textIn: (language: Language) => string): Html {
  const entries = languages.map((language) => [language, textIn(language)])
  if (entries.every(([, text]) => text === textIn('en'))) return html``
  return html` data-texts="${JSON.stringify(Object.fromEntries(entries))}"`
}

/** The `title` element of a page, which ends with the name of the shop. */
export function titleElement(brand: Brand, titleIn: (language: Language) => string): Html {
  const whole = (language: Language) => `${titleIn(language)} · ${shopName(brand, language)}`
  return html`<title${textsAttribute(whole)}>${whole('en')}</title>`
}

/** The same for a page that is called `text`. */
export const titled = (text: Text, brand: Brand): Html =>
  titleElement(brand, (language) => words(text, language))

const gate = html`<svg class="wordmark__gate" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M4 3v18M20 3v18M8 3v9M12 3v9M16 3v9"/><path class="wordmark__water" d="M7 17c1.7-1.6 3.3-1.6 5 0s3.3 1.6 5 0"/></svg>`

/** The name or logo of the shop, which leads to its first page. */
export function wordmark(brand: Brand): Html {
  return html`<a class="wordmark" href="/">${mark(brand)}</a>`
}

function mark(brand: Brand): Html {
  const { name, logo } = brand
  const size = logo === undefined ? undefined : uploadedPicture(logo)
  if (logo !== undefined && size !== undefined) {
    return html`<img class="wordmark__logo" src="${addressOf(logo, logoWidth)}" width="${size.width}" height="${size.height}" alt="${shopName(brand, 'en')}">`
  }
  const text = html`<span${textsAttribute((language) => shopName(brand, language))}>${shopName(brand, 'en')}</span>`
  return name === undefined ? html`${gate}${text}` : text
}

/** Enough for a screen with three pixels to one of CSS, in which a logo is at most 160 px wide. */
const logoWidth = 480

/** The icon of the browser's tab; `icon` is that of a shop without a logo. */
export function tabIcon({ logo }: Brand, icon: string): Html {
  return logo === undefined
    ? html`<link rel="icon" type="image/svg+xml" href="${icon}">`
    : html`<link rel="icon" type="image/webp" href="${addressOf(logo, 0)}">`
}

/** The footer: the tagline, the legal links and the way to support. */
export function footer({ tagline, links = [], support }: Brand): Html {
  const line = tagline === undefined ? say('foot.line') : html`<span${textsOf(tagline)}>${tagline.en}</span>`
  const items = [
    ...links.map(({ label, href }) => html`<li><a href="${href}"${textsOf(label)}>${label.en}</a></li>`),
    ...(support === undefined
      ? []
      : [html`<li><a href="${supportHref(support)}">${say('foot.support')}</a></li>`]),
  ]
  const list = items.length === 0 ? html`` : html`<ul class="foot__links">${items}</ul>`
  return html`<footer class="foot"><p>${line}</p>${list}</footer>`
}

const textsOf = (text: BrandText): Html => textsAttribute((language) => text[language])

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
