/** What a crowd asks of a sale of red packets: one packet each. Whoever asks again finds the same one, so no key is needed. */
import { type Line, memberOf, numberOf, type Reply, textOf } from '../http.ts'
import type { OpenSale } from '../open-sale.ts'
import type { Door, Win } from '../shopper.ts'

/** What a 200 promises; `amount` is in minor units. */
export type PromisedPacket = { packetId: string; amount: number; currency: string }

export function tap(line: Line, { saleId, startToken }: OpenSale): Door<PromisedPacket> {
  const path = `/api/sales/${saleId}/packets`
  return { click: ({ token }) => line.post(path, token, { startToken }), readWin: readTap }
}

export function readTap({ status, body }: Reply): Win<PromisedPacket> | undefined {
  if (status !== 200) return undefined
  const packetId = textOf(body, 'packetId')
  const amount = numberOf(body, 'amount')
  const currency = textOf(body, 'currency')
  const isWhole = packetId !== undefined && amount !== undefined && currency !== undefined
  const code = memberOf(body, 'repeat') === true ? 'repeat' : 'claimed'
  return { code, prize: isWhole ? { packetId, amount, currency } : undefined }
}
