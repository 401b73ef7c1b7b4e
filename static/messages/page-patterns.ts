/**
 * The words of pages by language. The build evaluates this module once for each language: a script has the words of its
 * language and no others.
 */
import * as catalogues from './catalogues.ts'
import { patternsOf } from './patterns.ts'

export const salePatterns = patternsOf(catalogues.saleMessages)
export const couponPatterns = patternsOf(catalogues.couponSaleMessages)
export const variantPatterns = patternsOf(catalogues.variantSaleMessages)
export const rainPatterns = patternsOf(catalogues.rainMessages)
export const shopPatterns = patternsOf(catalogues.shopMessages)
export const ordersPatterns = patternsOf(catalogues.ordersMessages)
/** What the page of orders loads once “Your data” is opened. */
export const ownDataPatterns = patternsOf(catalogues.ownDataMessages)
export const drawCheckPatterns = patternsOf(catalogues.drawCheckMessages)
/** What the page of a sale that draws loads beside its own words. */
export const drawEntryPatterns = patternsOf(catalogues.drawEntryMessages, catalogues.sharedMessages)
/** What the script of the elements has in English, and loads in another language. */
export const elementPatterns = patternsOf(catalogues.elementMessages)
export const accessibilityPatterns = patternsOf(catalogues.accessibilityMessages)
export const walletPatterns = patternsOf(catalogues.walletMessages)
/** What the page of the wallet loads once “Coupons” is opened. */
export const couponCodePatterns = patternsOf(catalogues.couponCodeMessages)
export const customerPatterns = patternsOf(catalogues.customerMessages)
export const signInPatterns = patternsOf(catalogues.signInMessages)

/** What a page of a sale loads after its first paint. */
export const saleLaterPatterns = patternsOf(catalogues.checkMessages)

export const consolePatterns = patternsOf(catalogues.consoleMessages, catalogues.footerMessages)

/** What the console says in each language while the words of none are loaded. */
export const partPatterns = patternsOf(catalogues.partMessages)

/** The words of all views of the console but the first. */
export const consoleLaterPatterns = patternsOf(
  ...[catalogues.consoleViewMessages, catalogues.refusalMessages],
  catalogues.ownDataMessages,
  // The preview of a page prints them.
  ...[catalogues.priceNoteMessages, catalogues.variantNoteMessages, catalogues.pagePartMessages],
)
