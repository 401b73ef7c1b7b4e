/** The modes that options add to the rush. */
import { rushModes } from '../../options/lists/proof/option.ts'
import type { RushMode } from './mode.ts'
import { ownModes } from './options.ts'

export const modesOfOptions: readonly RushMode[] = rushModes

/** Undefined for a mode of the rush itself. */
export const modeOfOption = (mode: string | undefined): RushMode | undefined =>
  modesOfOptions.find(({ name }) => name === mode)

export const modes: readonly string[] = [...ownModes, ...modesOfOptions.map(({ name }) => name)]
