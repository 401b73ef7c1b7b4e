/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/system/functions.ts'
import * as events from '../../events/system/functions.ts'

export const functions = { ...events.functions } as const
export const scheduledFunctions = { ...draw.scheduledFunctions } as const
export const wakingQueues = { ...events.wakingQueues } as const
