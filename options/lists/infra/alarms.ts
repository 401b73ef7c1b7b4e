/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/infra/alarms.ts'

export const alarmRows = [...events.alarmRows] as const
export const graphs = [...events.graphs] as const
