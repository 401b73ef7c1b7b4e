/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/local/parts.ts'
import * as events from '../../events/local/parts.ts'

export const localParts = { ...events.localParts } as const
export const localServices = [...draw.localServices] as const
export const demoSales = [...draw.demoSales] as const
