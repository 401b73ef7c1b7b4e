/** Written by `npm run build` from the folders of the options: do not edit. */
import { workbench as draw } from '../draw/local/workbench.ts'
import { workbench as events } from '../events/local/workbench.ts'

export const workbench = { draw, events }
