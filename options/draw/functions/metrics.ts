/** `ListMissing`: the list is late, or came too late; `BeaconLate`: its round has not come a minute after its time. */
export const metrics = {
  DrawFailed: ['draws'],
  ListMissing: ['draws'],
  BeaconLate: ['draws'],
} as const

/** The functions that call both stores. */
export const redisCallers = ['draws'] as const
