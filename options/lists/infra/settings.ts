/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/infra/settings.ts'
import * as events from '../../events/infra/settings.ts'

export const settingProblems = [...events.settingProblems] as const
export const stageFunctions = { ...events.stageFunctions } as const
export const capacities = { ...draw.capacities, ...events.capacities } as const
