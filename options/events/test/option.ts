/** A stage with all of events. */
import type { EventSettings } from '../system/option.ts'

export const everything = { sendsEvents: true, eventBus: true } as const satisfies EventSettings
