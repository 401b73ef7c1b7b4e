/** Renders the frame of every page: head, header and footer. It has no inline script or style, as the CSP demands. */
import { type Brand, offeredLanguages } from '../../core/brand.ts'
import { defaultLanguages, type Language } from '../../core/language.ts'
import { signInRoute } from '../../core/people/sign-in-paths.ts'
import { footerMessages, languageFacts, noScriptMessages, sharedMessages } from '../messages/catalogues.ts'
import { type Text, words } from '../messages/text.ts'
import { brandLink, footer, tabIcon, wordmark } from './brand.ts'
import { type Html, html } from './html.ts'
import { directionOf, ownLanguage, pageLanguages, textsAttribute, translator, writtenIn } from './say.ts'

/** Maps an asset (`sale.js`) to its address (`/assets/sale.<hash>.js`); `words` is the hash of all word files. */
export type Assets = Readonly<Record<string, string>>

type Page = {
  name: string
  title: Html
  description: string
  /** Elements for messengers and search engines. */
  preview?: Html
  assets: Assets
  styles: readonly string[]
  /** The name of its script. Scripts for shoppers exist once for each language. */
  script: string
  /** The links in its header, before the sign-in; those of a shopper's page by default. */
  links?: Html
  /** Preload links for the first requests of the script. */
  preloads?: readonly Html[]
  /** The id that the skip link leads to. */
  skipTo?: string
  main: Html
}

const { say, label } = translator(sharedMessages)

const shopperLinks = () => html`<a href="/orders/">${say('nav.orders')}</a>
<a href="/wallet/">${say('nav.wallet')}</a>`

/** The start of each head. Without `format-detection`, phones turn order numbers into links. */
export const openHead: Html = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">`

/**
 * Renders the whole document, in the shop's own language.
 * @throws when the build lacks an asset of the page
 */
export function renderPage(brand: Brand, page: () => Page): string {
  // A brand of another version may name a language that this one lacks.
  const known = offeredLanguages(brand).filter((language) => languageFacts[language] !== undefined)
  return writtenIn(known, () => write(brand, page()))
}

function write(brand: Brand, page: Page): string {
  const {
    name,
    title,
    description,
    preview = html``,
    assets,
    styles,
    script,
    links = shopperLinks(),
    preloads = [],
    skipTo = 'main',
    main,
  } = page
  const all = pageLanguages()
  const needsMore = all.some((language) => !defaultLanguages.includes(language))
  const sheets = [...styles, ...(needsMore ? ['languages.css'] : [])].map(
    (style) => html`<link rel="stylesheet" href="${asset(assets, style)}">\n`,
  )
  return html`<!doctype html>
<html lang="${ownLanguage()}"${directionOf(ownLanguage())}>
<head>
${openHead}
<meta name="description" content="${description}">
${title}
${preview}${tabIcon(brand, asset(assets, 'icon.svg'))}
${sheets}${brandLink(brand)}<script type="module" src="${scriptOf(script, assets)}"></script>
${preloads}<noscript><link rel="stylesheet" href="${asset(assets, 'no-script.css')}"></noscript>
</head>
<body data-page="${name}" data-words="${asset(assets, 'words')}">
<a class="skip" href="#${skipTo}">${say('nav.skip')}</a>
<header class="top">
${wordmark(brand)}
<nav ${label('nav.label')}>
${links}
<a href="${signInRoute}" id="who">${say('nav.signIn')}</a>
<button type="button" id="sign-out" class="quiet" hidden><svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M14 4H6v16h8M11 12h9M16.500 8l4 4-4 4"/></svg>${say('nav.signOut')}</button>
${languageSwitch()}
</nav>
</header>
<noscript><p class="notice">${inEach(noScriptMessages['noScript.needs'])}</p></noscript>
${main}
${footer(brand)}
</body>
</html>
`.html
}

/** Returns the address of the script in the page's language, or of the only one. */
function scriptOf(name: string, assets: Assets): string {
  return assets[`${name}-${ownLanguage()}.js`] ?? asset(assets, `${name}.js`)
}

/** Renders a text in all languages of the shop, for readers without scripts. */
function inEach(text: Text): Html {
  const all = pageLanguages().map((language) => html`<span lang="${language}">${words(text, language)}</span>`)
  return html`${all.map((one, at) => (at === 0 ? one : html` ${one}`))}`
}

const globe = html`<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 12h17M12 3c2.6 2.5 3.800 5.500 3.800 9s-1.200 6.500-3.800 9c-2.6-2.5-3.800-5.500-3.800-9S9.400 5.500 12 3z"/></svg>`

/** Renders a button for two languages, or a list for more. A shop with one language hides it. */
function languageSwitch(): Html {
  const all = pageLanguages()
  const nameOf = (language: Language) => languageFacts[language]?.name ?? language
  const rtl = all.filter((language) => languageFacts[language]?.dir === 'rtl').join(' ')
  const facts = html`id="language" data-offered="${all.join(' ')}"${rtl === '' ? html`` : html` data-rtl="${rtl}"`}`
  const [own = 'en', other = own] = all
  if (all.length <= 2) {
    const names = textsAttribute((language) => nameOf(language === own ? other : own))
    return html`<button type="button" class="quiet" ${facts} lang="${other}"${all.length === 1 ? html` hidden` : html``}>${globe}<span${names}>${nameOf(other)}</span></button>`
  }
  const options = all.map((one) => html`<option value="${one}" lang="${one}">${nameOf(one)}</option>`)
  // Stays in the language of the page, because the scripts of sales do not carry this label.
  const title = words(footerMessages['nav.languages'], own)
  return html`<span class="quiet languages">${globe}<select ${facts} aria-label="${title}">${options}</select></span>`
}

/** Returns the address of an asset. @throws when the build did not make it */
export function asset(assets: Assets, name: string): string {
  const address = assets[name]
  if (address === undefined) throw new Error(`the site build has no asset named ${name}`)
  return address
}

/** The page's only dialog, which `web/confirm.ts` fills. */
export const confirmPlace: Html = html`<dialog id="confirm" class="dialog" aria-labelledby="confirm-title" aria-describedby="confirm-text">
<h2 id="confirm-title"></h2>
<div id="confirm-text"></div>
<div class="dialog__actions actions" id="confirm-actions"></div>
</dialog>`
