/** What a shop is called in a language. */
import type { Brand } from '../../core/brand.ts'
import type { Language } from '../../core/language.ts'
import { footerMessages } from './catalogues.ts'
import { words } from './text.ts'

/** The name of the brand; a shop without one has a word of each language. */
export const shopName = ({ name }: Pick<Brand, 'name'>, language: Language): string =>
  name ?? words(footerMessages['shop.unnamed'], language)
