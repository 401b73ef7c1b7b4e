/**
 * The frame of every page: head, header, footer. Nothing in it is inline, so the strict CSP holds.
 */
import { type Brand, onlyLanguage } from '../../core/brand.ts'
import { languages } from '../../core/language.ts'
import { signInRoute } from '../../core/people/sign-in-paths.ts'
import { noScriptMessages } from '../messages/no-script.ts'
import { sharedMessages } from '../messages/shared.ts'
import type { Text } from '../messages/text.ts'
import { brandLink, footer, tabIcon, wordmark } from './brand.ts'
import { type Html, html } from './html.ts'
import { speaker } from './say.ts'

/** Asset name (`sale.js`) to the address it is served from (`/assets/sale.<hash>.js`). */
export type Assets = Readonly<Record<string, string>>

type Page = {
  name: string
  brand: Brand
  title: Html
  description: string
  /** What messengers and search engines read of the page. */
  preview?: Html
  assets: Assets
  styles: readonly string[]
  script: string
  /** The name of its words, where each language is a file of its own. */
  words?: string
  /** The links in its header, beside the sign-in; those of a shopper's pages unless others are given. */
  links?: Html
  /** Links to what the script asks for first, so that a browser fetches both at once. */
  preloads?: readonly Html[]
  /** The id of what the skip link leads to. */
  skipTo?: string
  main: Html
}

const { say, label } = speaker(sharedMessages)

const shopperLinks = html`<a href="/orders/">${say('nav.orders')}</a>
<a href="/wallet/">${say('nav.wallet')}</a>`

/** How every page begins; what follows in its head is its own. */
export const openHead: Html = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">`

/** The whole document. Throws when the build has no asset of a name the page needs. */
export function renderPage(page: Page): string {
  const {
    name,
    brand,
    title,
    description,
    preview = html``,
    assets,
    styles,
    script,
    words,
    links = shopperLinks,
    preloads = [],
    skipTo = 'main',
    main,
  } = page
  const sheets = styles.map((style) => html`<link rel="stylesheet" href="${asset(assets, style)}">\n`)
  return html`<!doctype html>
<html lang="en">
<head>
${openHead}
<meta name="description" content="${description}">
${title}
${preview}${tabIcon(brand, asset(assets, 'icon.svg'))}
${sheets}${brandLink(brand)}<script type="module" src="${asset(assets, script)}"></script>
${preloads}<noscript><link rel="stylesheet" href="${asset(assets, 'no-script.css')}"></noscript>
</head>
<body data-page="${name}"${addressesOf(words, assets)}>
<a class="skip" href="#${skipTo}">${say('nav.skip')}</a>
<header class="top">
${wordmark(brand)}
<nav ${label('nav.label')}>
${links}
<a href="${signInRoute}" id="who">${say('nav.signIn')}</a>
<button type="button" id="sign-out" class="quiet" hidden><svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M14 4H6v16h8M11 12h9M16.500 8l4 4-4 4"/></svg>${say('nav.signOut')}</button>
<button type="button" id="language" class="quiet" lang="zh-CN"${fixed(brand)}><svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 12h17M12 3c2.6 2.5 3.800 5.500 3.800 9s-1.200 6.500-3.800 9c-2.6-2.5-3.800-5.500-3.800-9S9.400 5.500 12 3z"/></svg>${say('nav.language')}</button>
</nav>
</header>
<noscript><p class="notice">${bothLanguages(noScriptMessages['noScript.needs'])}</p></noscript>
${main}
${footer(brand)}
</body>
</html>
`.html
}

function addressesOf(words: string | undefined, assets: Assets): readonly Html[] {
  if (words === undefined) return []
  return languages.map(
    (language) => html` data-words-${language}="${asset(assets, `${words}-words-${language}.js`)}"`,
  )
}

/**
 * Text for a reader whose language no script can choose: English and Chinese, one after the other.
 */
function bothLanguages([english, chinese]: Text): Html {
  return html`${english} <span lang="zh-CN">${chinese}</span>`
}

/** A shop of one language has no switch, and its readers get that one: the script reads the value. */
function fixed(brand: Brand): Html {
  const only = onlyLanguage(brand)
  return only === undefined ? html`` : html` value="${only}" hidden`
}

/** The address of an asset. Throws when the build did not make it. */
export function asset(assets: Assets, name: string): string {
  const address = assets[name]
  if (address === undefined) throw new Error(`the site build has no asset named ${name}`)
  return address
}
