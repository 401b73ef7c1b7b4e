/** The modes that options add to the rush. */
import { eachOf } from '../../core/lib/fold.ts'
import { proofs } from '../../options/registry/proofs.ts'
import type { RushMode } from './mode.ts'
import { builtInModes } from './options.ts'

export const optionModes: readonly RushMode[] = eachOf(proofs, 'rush')

/** Finds a mode of an option; undefined for a built-in mode. */
export const findOptionMode = (mode: string | undefined): RushMode | undefined =>
  optionModes.find(({ name }) => name === mode)

export const modes: readonly string[] = [...builtInModes, ...optionModes.map(({ name }) => name)]
