/** The modes that options add to the rush. */
import { eachOf } from '../../core/lib/fold.ts'
import { proofs } from '../../options/registry/proofs.ts'
import type { RushMode } from './mode.ts'
import { ownModes } from './options.ts'

export const modesOfOptions: readonly RushMode[] = eachOf(proofs, 'rush')

/** Undefined for a mode of the rush itself. */
export const modeOfOption = (mode: string | undefined): RushMode | undefined =>
  modesOfOptions.find(({ name }) => name === mode)

export const modes: readonly string[] = [...ownModes, ...modesOfOptions.map(({ name }) => name)]
