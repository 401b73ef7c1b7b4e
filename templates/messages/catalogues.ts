/**
 * Joins the catalogues of the language files for each page and view. The build replaces this module: a script gets only
 * the keys (`text.ts`), and a function gets the texts that it uses.
 */

import type { Language } from '../../core/language.ts'
import { catalogue, catalogueNames, factsByLanguage, type LanguageFacts, languageTags } from './language-files.ts'

/** All languages, English first. */
export const languages: readonly Language[] = languageTags
export const languageFacts: Readonly<Record<Language, LanguageFacts>> = factsByLanguage
export const rtlLanguages: readonly Language[] = languageTags.filter((one) => factsByLanguage[one]?.dir === 'rtl')

export const languageNames: readonly (readonly [Language, string])[] = languageTags.map((language) => [
  language,
  factsByLanguage[language]?.name ?? language,
])

const pick = <T, K extends keyof T>(all: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, all[key]])) as Pick<T, K>

const opening = ['shared', 'click-problems', 'gallery', 'opening'] as const
const sale = [...opening, 'list-price', 'sale'] as const
const problems = ['click-problems', 'problems'] as const

export const sharedMessages = catalogue('shared')
export const footerMessages = catalogue('footer')
export const noScriptMessages = catalogue('no-script')
export const galleryMessages = catalogue('gallery')
export const listPriceMessages = catalogue('list-price')
export const priceNoteMessages = catalogue('price-notes')
export const durationMessages = catalogue('duration')
export const earlyAccessMessages = catalogue('early-access')
export const clickProblems = catalogue('click-problems')
export const problemMessages = catalogue(...problems)
export const refusalMessages = catalogue('refusals')

// Pages of shoppers.
export const shopMessages = catalogue('shared', 'list-price', 'shop')
export const openingMessages = catalogue(...opening)
export const saleMessages = catalogue(...sale)
export const couponSaleMessages = catalogue(...sale, 'sale-coupon')
export const variantSaleMessages = catalogue(...sale, 'sale-variants')
export const variantNoteMessages = pick(variantSaleMessages, ['variants.again'])
export const rainMessages = catalogue(...opening, 'rain')
export const ordersMessages = catalogue(
  ...(['shared', ...problems, 'order-status', 'orders-address', 'orders-bill', 'coupon-codes', 'orders'] as const),
)
export const ownDataMessages = catalogue('own-data')

/** The keys that the elements for pages of other sites share with the shop's pages. */
const elementKeys = [
  ...(['clock.startsIn', 'clock.anyMoment', 'time.d', 'stock.left'] as const),
  ...(['button.ready', 'button.early', 'button.sign-in'] as const),
  ...(['button.again', 'button.sending', 'button.won', 'button.paused'] as const),
  ...(['button.held-back', 'button.sold-out', 'button.ended', 'button.draft'] as const),
  ...(['button.owned', 'status.sending', 'status.unsure', 'status.gone'] as const),
  ...(['status.offline', 'order.payIn', 'order.status.paid'] as const),
  ...(['order.status.fulfilled', 'problem.not-started', 'problem.too-many-requests', 'problem.at-capacity'] as const),
  ...(['problem.sign-in-required', 'problem.level-too-low', 'problem.blocked', 'problem.unavailable'] as const),
] as const
const pagesOfElements = catalogue(...sale, ...problems, 'order-status', 'orders')
export const elementMessages = { ...pick(pagesOfElements, elementKeys), ...catalogue('elements') }

export const accessibilityMessages = catalogue('shared', 'accessibility')
export const walletMessages = catalogue('shared', ...problems, 'wallet')
/** For coupon codes, on the order page and in the wallet. */
export const couponCodeMessages = catalogue('coupon-codes')
export const customerMessages = catalogue('shared', 'customer')
export const signInMessages = catalogue('shared', 'sign-in')

/** For each page that saves a file. */
export const saveMessages = catalogue('save')

// A sale page loads these after its first paint.
export const checkMessages = catalogue('check')
/** For the parts of options on a sale page. */
export const pagePartMessages = catalogue('page-parts')

// Pages without a script, and emails.
export const missingMessages = catalogue('missing')
export const signInProblemMessages = catalogue('sign-in-problem')
export const unsubscribeMessages = catalogue('unsubscribe')
export const paymentTexts = catalogue('payment-simulator')
export const mailMessages = catalogue('mails')
export type PaymentText = keyof typeof paymentTexts

// The console: its first screen, the error when a file cannot be loaded, and the later views.
const firstScreen = [
  ...(['shared', ...problems, 'order-status', 'early-access', 'duration', 'demand'] as const),
  ...(['console/preview', 'console/shipping', 'console/steps', 'console/early-access'] as const),
  ...(['console/variants', 'console/overview', 'console/effects', 'console/kinds'] as const),
  ...(['console/parts', 'console/search', 'console'] as const),
]
export const consoleMessages = catalogue(...firstScreen)
export const consoleViewMessages = catalogue(
  ...catalogueNames.filter((name) => name.startsWith('console/') && !firstScreen.some((one) => one === name)),
)
export const partMessages = catalogue('console/parts')
