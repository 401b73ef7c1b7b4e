/** The modes that options add to the rush. */
import { eachOf } from '../../core/lib/fold.ts'
import { proofs } from '../../options/registry/proofs.ts'
import type { RushMode } from './mode.ts'
import type { RushProduct } from './open-sale.ts'
import { builtInModes, type RushOptions } from './options.ts'

export const optionModes: readonly RushMode[] = eachOf(proofs, 'rush')

/** Finds a mode of an option; undefined for a built-in mode. */
export const findOptionMode = (mode: string | undefined): RushMode | undefined =>
  optionModes.find(({ name }) => name === mode)

export const modes: readonly string[] = [...builtInModes, ...optionModes.map(({ name }) => name)]

/** Returns the product of a sale, with the times of its mode. */
export function rushProduct(options: RushOptions): RushProduct {
  const optionMode = findOptionMode(options.mode)
  return { ...options, ...(optionMode && { timesAt: optionMode.timesFor(options.shoppers) }) }
}
