/** Written by `npm run build` from the folders of the options: do not edit. */
import { stacks as draw } from '../draw/infra/stacks.ts'
import { stacks as events } from '../events/infra/stacks.ts'

export const stacks = { draw, events }
