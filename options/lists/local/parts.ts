/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/local/parts.ts'

export const localParts = { ...events.localParts } as const
