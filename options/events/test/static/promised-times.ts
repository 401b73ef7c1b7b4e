/** What keeps the times that the texts of events promise, ms. */
import { rotationMs } from '../../core/endpoint.ts'

export const promisedTimes = { 'event.rotateEffect': [rotationMs] } as const
