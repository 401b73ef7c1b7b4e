/** What an option shows of a sale in the console. */
import type { ComponentType } from 'preact'
import type { Sale } from '../../../../core/sale/sale.ts'
import type { Key } from '../lib/kind-words.ts'

/**
 * `Overview` is a line of the overview; `Panel` stands among the folded panels of a sale. `onDeletion` is the text of what
 * deleting the sale does to the option.
 */
export type SalePart = {
  Overview?: ComponentType<{ sale: Sale }>
  Panel?: ComponentType<{ sale: Sale }>
  onDeletion?: (sale: Sale) => Key | undefined
}
