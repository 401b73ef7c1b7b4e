/** What a crowd asks of a sale of red packets: one packet each. Whoever asks again finds the same one, so no key is needed. */
import { type Line, memberOf, numberOf, type Reply, textOf } from '../http.ts'
import type { OpenSale } from '../open-sale.ts'
import type { Door, Win } from '../shopper.ts'

/** What a 200 promises; `amount` is in minor units. */
export type PromisedPacket = { packetId: string; amount: number; currency: string }

export function tap(line: Line, { saleId, startToken }: OpenSale): Door<PromisedPacket> {
  const path = `/api/sales/${saleId}/packets`
  return {
    click: ({ token }) => line.post(path, token, { startToken }),
    readWin: readTap,
    lookUp: async ({ token }, lookup) => readCredit((await line.get(lookup, token)).reply, saleId),
  }
}

/** The packet of this sale in a wallet; one that is not credited yet is not found. */
export function readCredit(reply: Reply | undefined, saleId: string): PromisedPacket | undefined {
  const credits = reply?.status === 200 ? memberOf(reply.body, 'credits') : undefined
  const found = Array.isArray(credits) ? credits.find((one) => textOf(one, 'saleId') === saleId) : undefined
  return readPacket(found)
}

function readPacket(fields: unknown): PromisedPacket | undefined {
  const packetId = textOf(fields, 'packetId')
  const amount = numberOf(fields, 'amount')
  const currency = textOf(fields, 'currency')
  const isWhole = packetId !== undefined && amount !== undefined && currency !== undefined
  return isWhole ? { packetId, amount, currency } : undefined
}

export function readTap({ status, body }: Reply): Win<PromisedPacket> | undefined {
  if (status !== 200) return undefined
  const code = memberOf(body, 'repeat') === true ? 'repeat' : 'claimed'
  return { code, prize: readPacket(body) }
}
