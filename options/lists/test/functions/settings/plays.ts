/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../../draw/test/functions/settings/plays.ts'

export const plays = { ...draw.plays } as const
