/** What a token may touch in Redis, in the words of `ACL SETUSER`: a deployment gives its users the same. */

/** The functions' token of the gate store. */
export const gateRights = ['%RW~gate:*', '%RW~lock:*'] as const

/**
 * The edge's token: it reads everything about the gate, and writes only what its instances agree on among themselves. A
 * leaked one can let no sale start, change no list and touch no stock.
 */
export const edgeRights = [
  '%R~gate:*',
  '%RW~gate:*:admissions',
  '%RW~gate:*:solved:*',
  '%RW~gate:*:addresses',
] as const
