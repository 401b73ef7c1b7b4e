/**
 * The words of pages by language. The build evaluates this module once for each language: a script has the words of its
 * language and no others.
 */
import * as catalogues from './catalogues.ts'
import { patternsIn } from './patterns.ts'

export const salePatterns = patternsIn(catalogues.saleMessages)
export const couponPatterns = patternsIn(catalogues.couponSaleMessages)
export const variantPatterns = patternsIn(catalogues.variantSaleMessages)
export const rainPatterns = patternsIn(catalogues.rainMessages)
export const shopPatterns = patternsIn(catalogues.shopMessages)
export const ordersPatterns = patternsIn(catalogues.ordersMessages)
/** What the page of orders loads once “Your data” is opened. */
export const ownDataPatterns = patternsIn(catalogues.ownDataMessages)
/** What the script of the elements has in English, and loads in another language. */
export const elementPatterns = patternsIn(catalogues.elementMessages)
export const accessibilityPatterns = patternsIn(catalogues.accessibilityMessages)
export const walletPatterns = patternsIn(catalogues.walletMessages)
/** What the page of the wallet loads once “Coupons” is opened. */
export const couponCodePatterns = patternsIn(catalogues.couponCodeMessages)
export const customerPatterns = patternsIn(catalogues.customerMessages)
export const signInPatterns = patternsIn(catalogues.signInMessages)

/** What a page loads once it saves a file. */
export const savePatterns = patternsIn(catalogues.saveMessages)

/** What a page of a sale loads after its first paint. */
export const saleLaterPatterns = patternsIn(catalogues.checkMessages)

export const consolePatterns = patternsIn(catalogues.consoleMessages, catalogues.footerMessages)

/** What the console says in each language while the words of none are loaded. */
export const partPatterns = patternsIn(catalogues.partMessages)

/** The words of all views of the console but the first. */
export const consoleLaterPatterns = patternsIn(
  ...[catalogues.consoleViewMessages, catalogues.refusalMessages],
  catalogues.ownDataMessages,
  // The preview of a page prints them.
  ...[catalogues.priceNoteMessages, catalogues.variantNoteMessages, catalogues.pagePartMessages],
)
