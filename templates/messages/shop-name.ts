/** Names the shop in a language. */
import type { Brand } from '../../core/brand.ts'
import type { Language } from '../../core/language.ts'
import { footerMessages } from './catalogues.ts'
import { words } from './text.ts'

/** Returns the name of the brand; falls back to a generic word. */
export const shopName = ({ name }: Pick<Brand, 'name'>, language: Language): string =>
  name ?? words(footerMessages['shop.unnamed'], language)
