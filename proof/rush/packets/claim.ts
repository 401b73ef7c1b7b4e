/**
 * The claim requests of a rush for red packets: one packet per shopper. A repeated claim returns
 * the same packet.
 */
import { claimOf, type Packet } from '../../../client/claim.ts'
import { type HttpClient, memberOf } from '../http.ts'
import type { OpenSale } from '../open-sale.ts'
import type { PrizeRequest } from '../shopper.ts'

/** The packet in a 200 answer; `amount` is in minor units. */
export type WonPacket = Omit<Packet, 'repeat'>

export function claimRequest(client: HttpClient, sale: OpenSale): PrizeRequest<WonPacket> {
  return {
    client,
    sale,
    clickOf: ({ key }) => ({ ...claimOf(sale.saleId), key }),
    winCodeOf({ status, body }) {
      if (status !== 200) return undefined
      return memberOf(body, 'repeat') === true ? 'repeat' : 'claimed'
    },
  }
}
