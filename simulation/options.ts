/** What a run of played sales is asked to be. */

import type { StartStep } from '../cli/progress.ts'
import type { SaleKind } from '../core/sale.ts'

export type FaultOptions = {
  sales: number
  seed: number
  /** Plays this sale alone. */
  only: number | undefined
  /** Plays nothing else; otherwise the seed chooses. */
  kind?: SaleKind | undefined
  startStep: StartStep
}

/** Enough for tens of thousands of faults, within two minutes on two processors. */
export const usualSales = 600
