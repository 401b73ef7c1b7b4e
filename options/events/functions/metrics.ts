/**
 * `EventsFailed` are tries that an endpoint did not confirm, and `EventsDead` were given up after the last one.
 * `EventsRejected` are changes that cannot be read.
 */
export const metrics = {
  EventsSent: ['events'],
  EventsFailed: ['events'],
  EventsDead: ['events'],
  EventsRejected: ['events'],
} as const
