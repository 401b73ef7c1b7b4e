/**
 * The claim requests of a rush for red packets: one packet per shopper. A repeated claim returns
 * the same packet, so no key is needed.
 */
import { type HttpClient, type HttpReply, memberOf, numberMember, textMember } from '../http.ts'
import type { OpenSale } from '../open-sale.ts'
import type { PrizeRequest, Win } from '../shopper.ts'

/** The packet in a 200 answer; `amount` is in minor units. */
export type WonPacket = { packetId: string; amount: number; currency: string }

export function claimRequest(client: HttpClient, { saleId, startToken }: OpenSale): PrizeRequest<WonPacket> {
  const path = `/api/sales/${saleId}/packets`
  return {
    send: (shopper) => client.post(path, shopper, { startToken }),
    readWin: readClaim,
    lookUp: async ({ token }, lookup) => readCredit((await client.get(lookup, token)).reply, saleId),
  }
}

/** The packet of this sale in a wallet; undefined until it is credited. */
function readCredit(reply: HttpReply | undefined, saleId: string): WonPacket | undefined {
  const credits = reply?.status === 200 ? memberOf(reply.body, 'credits') : undefined
  const found = Array.isArray(credits)
    ? credits.find((one) => textMember(one, 'saleId') === saleId)
    : undefined
  return readPacket(found)
}

function readPacket(fields: unknown): WonPacket | undefined {
  const packetId = textMember(fields, 'packetId')
  const amount = numberMember(fields, 'amount')
  const currency = textMember(fields, 'currency')
  const isWhole = packetId !== undefined && amount !== undefined && currency !== undefined
  return isWhole ? { packetId, amount, currency } : undefined
}

export function readClaim({ status, body }: HttpReply): Win<WonPacket> | undefined {
  if (status !== 200) return undefined
  const code = memberOf(body, 'repeat') === true ? 'repeat' : 'claimed'
  return { code, prize: readPacket(body) }
}
