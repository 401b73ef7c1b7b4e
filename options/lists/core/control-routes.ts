/** Written by `npm run build` from the folders of the options: do not edit. */
import { controlRoutes as reminders } from '../../reminders/core/control-routes.ts'

export const controlRoutes = { ...reminders } as const
