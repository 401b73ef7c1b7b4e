/** What a stage says of events. */

export type EventSettings = {
  /** Events to the shop's own systems; absent: none are sent. */
  sendsEvents?: boolean
  /** With `sendsEvents`: a bus of EventBridge, which marketers may save as an endpoint. */
  eventBus?: true
}

export const settingProblems = [
  ({ sendsEvents, eventBus }: EventSettings): string[] =>
    eventBus === true && sendsEvents !== true
      ? ['eventBus is set without sendsEvents: the bus would get no event']
      : [],
] as const

export const stageFunctions = { events: ({ sendsEvents }: EventSettings) => sendsEvents === true } as const

/** As many as shards of the stream of the table, each of which takes 1,000 writes a second, and as endpoints that do not answer. */
export const capacities = { events: { memoryMb: 512, reserved: 16 } } as const
