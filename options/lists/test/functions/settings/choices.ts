/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../../draw/test/functions/settings/choices.ts'

export const playedChoices = { ...draw.playedChoices } as const
