/**
 * The words of the pages of sales. The build evaluates this module once for each language: a script has the words of
 * its language and no others.
 */
import type { Language } from '../../core/language.ts'
import { rainMessages } from './rain.ts'
import { saleMessages } from './sale.ts'
import { couponSaleMessages } from './sale-coupon.ts'
import { variantSaleMessages } from './sale-variants.ts'
import { type Patterns, patternsOf } from './text.ts'

/** In a script, those of one language. */
export type PagePatterns = Readonly<Partial<Record<Language, Patterns>>>

export const salePatterns: PagePatterns = patternsOf(saleMessages)
export const couponPatterns: PagePatterns = patternsOf(couponSaleMessages)
export const variantPatterns: PagePatterns = patternsOf(variantSaleMessages)
export const rainPatterns: PagePatterns = patternsOf(rainMessages)
