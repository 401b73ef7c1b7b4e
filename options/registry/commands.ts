/** Written by `npm run build` from the folders of the options: do not edit. */
import { commands as draw } from '../draw/cli/commands.ts'
import { commands as events } from '../events/cli/commands.ts'

export const commands = { draw, events }
