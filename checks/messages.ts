/** The words of the pages: in each language, with the same values, each asked for by some page. */
import { settingNames } from '../core/sale/settings.ts'
import { site } from '../options/registry/site.ts'
import type { SiteSeam } from '../static/seams.ts'
import * as catalogues from '../templates/messages/catalogues.ts'
import { missingMessages, noScriptMessages, problemMessages } from '../templates/messages/catalogues.ts'
import { faultsOf, languageTags } from '../templates/messages/language-files.ts'
import type { Messages } from '../templates/messages/text.ts'
import { rulePathOf } from './modules.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const later = catalogues.checkMessages

/**
 * Every word the pages can show, by page: a page downloads only its own part, so only checks and tests see the whole.
 * The words of each page, by the name of its browser entry; the sale page speaks another way of coupons.
 */
export const messagesByPage = {
  shop: catalogues.shopMessages,
  sale: { ...catalogues.saleMessages, ...later },
  coupon: { ...catalogues.couponSaleMessages, ...later },
  variants: { ...catalogues.variantSaleMessages, ...later },
  rain: { ...catalogues.rainMessages, ...later },
  orders: catalogues.ordersMessages,
  save: catalogues.saveMessages,
  wallet: { ...catalogues.walletMessages, ...catalogues.couponCodeMessages },
  customer: catalogues.customerMessages,
  accessibility: catalogues.accessibilityMessages,
  'sign-in': catalogues.signInMessages,
  console: { ...catalogues.consoleMessages, ...catalogues.consoleViewMessages },
} as const satisfies Record<string, Messages>

export type PageName = keyof typeof messagesByPage

/** The words that options load. */
const ofOptions = Object.values<SiteSeam>(site).flatMap(({ words = {} }) =>
  Object.entries(words).map(([page, all]) => [page, all.en ?? {}]),
)

export const everyPage: Readonly<Record<string, Messages>> = {
  ...messagesByPage,
  ...Object.fromEntries(ofOptions),
  missing: missingMessages,
  noScript: noScriptMessages,
}

export function checkCatalogues(tree: Tree, pages: Readonly<Record<string, Messages>> = everyPage): Finding[] {
  const all = Object.entries(pages).flatMap(([page, messages]) => Object.keys(messages).map((key) => ({ page, key })))
  const ofOptions = tree
    .list('options')
    .filter((file) => /^options\/(?!registry)[^/]+\/(?:console|static)\//.test(file))
  const scripts = [...tree.list('static'), ...tree.list('web'), ...tree.list('console'), ...ofOptions]
    .filter((file) => /^(?:static|web|console)\//.test(rulePathOf(file)))
    .filter((file) => isCode(file) && !/\/static\/site\.ts$|^static\/(?:api\/|build\.ts$)/.test(file))
  const renderers = [...tree.list('templates/pages'), 'templates/messages/duration-text.ts']
  const sources = [...scripts, ...renderers, ...ofOptions].filter(isCode)
  const find = (key: string, what: string): Finding => {
    const text = tree.text('languages/en.json')
    return findingAt('languages/en.json', text, text.indexOf(`"${key}"`), what)
  }

  const files = languageTags.flatMap((language) =>
    faultsOf(language).map((what) => findingAt(`languages/${language}.json`, '', 0, what)),
  )

  const known = new Set(all.map(({ key }) => key))
  const prefixes = new Set([...known].map((key) => key.split('.')[0] ?? ''))
  const unknown = scripts.flatMap((file) =>
    [...tree.text(file).matchAll(/(?:'|=")([a-z][A-Za-z]*\.[A-Za-z.-]+)['"]/g)]
      .map(({ index, 1: key = '' }) => ({ index, key }))
      .filter(({ key }) => prefixes.has(key.split('.')[0] ?? '') && !known.has(key))
      .filter(({ key }) => !isCode(key) && !key.startsWith('throttle.'))
      .map(({ index, key }) => findingAt(file, tree.text(file), index, `asks for ${key}; add it to languages/en.json`)),
  )

  const source = sources.map((file) => tree.text(file)).join('\n')
  const templates = [...source.matchAll(/`([a-z][\w.-]*\.)\$\{[^}]+\}(\w*)`/gi)].map((match) => match.slice(1))
  const isAskedFor = (key: string) =>
    source.includes(`'${key}'`) ||
    source.includes(`="${key}"`) ||
    key in problemMessages ||
    settingNames.some((name) => key === name || key === `${name}Hint`) ||
    templates.some(([start = '', end = '']) => key.startsWith(start) && key.endsWith(end))
  const leftOver = all
    .filter(({ key }) => !isAskedFor(key))
    .map(({ page, key }) => find(key, `${key} of ${page} is shown nowhere; remove it`))

  return [...files, ...unknown, ...leftOver]
}

const isCode = (file: string) => /\.tsx?$/.test(file)
