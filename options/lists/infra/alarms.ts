/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/infra/alarms.ts'
import * as events from '../../events/infra/alarms.ts'

export const alarmRows = [...draw.alarmRows, ...events.alarmRows] as const
export const graphs = [...events.graphs] as const
