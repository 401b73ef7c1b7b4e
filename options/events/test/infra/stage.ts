/** A stage with all of events. */
import type { EventSettings } from '../../infra/settings.ts'

export const everything = { sendsEvents: true, eventBus: true } as const satisfies EventSettings
