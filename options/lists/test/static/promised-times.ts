/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../../events/test/static/promised-times.ts'

export const promisedTimes = { ...events.promisedTimes } as const
