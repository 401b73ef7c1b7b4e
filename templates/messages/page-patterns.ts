/** The words of pages by language. The build evaluates this module, so that a script carries one language. */
import * as catalogues from './catalogues.ts'
import { patternsIn } from './patterns.ts'

export const salePatterns = patternsIn(catalogues.saleMessages)
export const couponPatterns = patternsIn(catalogues.couponSaleMessages)
export const variantPatterns = patternsIn(catalogues.variantSaleMessages)
export const rainPatterns = patternsIn(catalogues.rainMessages)
export const shopPatterns = patternsIn(catalogues.shopMessages)
export const ordersPatterns = patternsIn(catalogues.ordersMessages)
/** The orders page loads these once “Your data” is opened. */
export const ownDataPatterns = patternsIn(catalogues.ownDataMessages)
/** The script of the elements has these in English, and loads other languages. */
export const elementPatterns = patternsIn(catalogues.elementMessages)
export const accessibilityPatterns = patternsIn(catalogues.accessibilityMessages)
export const walletPatterns = patternsIn(catalogues.walletMessages)
/** The wallet page loads these once “Coupons” is opened. */
export const couponCodePatterns = patternsIn(catalogues.couponCodeMessages)
export const customerPatterns = patternsIn(catalogues.customerMessages)
export const signInPatterns = patternsIn(catalogues.signInMessages)

/** Pages load these once they save a file. */
export const savePatterns = patternsIn(catalogues.saveMessages)

/** A sale page loads these after its first paint. */
export const saleLaterPatterns = patternsIn(catalogues.checkMessages)

export const consolePatterns = patternsIn(catalogues.consoleMessages, catalogues.footerMessages)

/** The console has these in each language, for errors before any words are loaded. */
export const partPatterns = patternsIn(catalogues.partMessages)

/** The words of the console's later views. */
export const consoleLaterPatterns = patternsIn(
  ...[catalogues.consoleViewMessages, catalogues.refusalMessages],
  catalogues.ownDataMessages,
  // The preview of a page prints them.
  ...[catalogues.priceNoteMessages, catalogues.variantNoteMessages, catalogues.pagePartMessages],
)
