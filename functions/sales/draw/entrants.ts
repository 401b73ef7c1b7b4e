/** The ids of entrants, which only the shop can connect with its shoppers. */
import { createHmac } from 'node:crypto'
import { groupBytes } from '../../../core/draw/record.ts'
import type { ShopperId } from '../../../core/ids.ts'

/** The id of a shopper in all draws of a series, which share `key`. */
export function entrantId(key: Uint8Array, shopperId: ShopperId): Uint8Array {
  return createHmac('sha256', key).update(shopperId).digest()
}

/** No shopper id has a space, so a group has the bytes of no entrant. */
export function groupNamed(key: Uint8Array, name: string): Uint8Array {
  return createHmac('sha256', key).update(`group ${name}`).digest().subarray(0, groupBytes)
}
