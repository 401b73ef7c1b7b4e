/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/cli/commands.ts'

export const commands = [...events.commands] as const
