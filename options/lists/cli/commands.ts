/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/cli/commands.ts'
import * as events from '../../events/cli/commands.ts'

export const commands = /* @__PURE__ */ (() => ([...draw.commands, ...events.commands] as const))()
