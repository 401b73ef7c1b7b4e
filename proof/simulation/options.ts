/** The options of a simulation run. */

import type { StartStep } from '../../cli/progress.ts'
import type { SaleKind } from '../../core/sale/settings.ts'

export type FaultOptions = {
  sales: number
  seed: number
  /** Simulates this sale alone. */
  only: number | undefined
  /** Simulates this kind only; otherwise the seed draws it. */
  kind?: SaleKind | undefined
  /** Splits the stock of every sale; otherwise the seed draws it. */
  split?: true | undefined
  /** Gives all goods variants; otherwise the seed draws it. */
  variants?: true | undefined
  /** Draws the units of all goods and coupons; otherwise the seed says of which. */
  draw?: true | undefined
  startStep: StartStep
}

/** Enough for tens of thousands of faults, within two minutes on two processors. */
export const usualSales = 600
