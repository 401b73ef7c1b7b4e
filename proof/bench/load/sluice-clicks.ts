/** The clicks of shoppers on a sale of a local system that admits all of them at once. */
import { type ShopperSession, sessionHeaders } from '../../../cli/control-client.ts'
import { startStep } from '../../../cli/progress.ts'
import type { Stack } from '../../../local/stack.ts'
import type { OpenSale } from '../../rush/open-sale.ts'
import { openForAll, type SaleForAll, signInAll } from '../own-system.ts'
import type { System } from '../system.ts'
import type { Clicks } from './clicks.ts'
import { postText } from './http-text.ts'

export type RunningSluice = { system: System; stack: Stack }

/** Opens a sale of `orders` units to as many new shoppers, who have signed in. */
export async function offerToAll(
  { system, stack: { port } }: RunningSluice,
  orders: number,
): Promise<{ sale: SaleForAll; buys: Clicks }> {
  // The gate has seen no token before: it remembers those that it has verified.
  const buyers = await newShoppers(system, 'buyer', orders)
  const sale = await openForAll(system, orders)
  return { sale, buys: { port, requests: buyers.map((buyer) => clickText(port, sale, buyer)), wanted: '^202 ' } }
}

export function newShoppers(system: System, kind: string, count: number): Promise<ShopperSession[]> {
  const round = Date.now().toString(36)
  const names = Array.from({ length: count }, (_, number) => `${kind}-${number}-${round}`)
  return signInAll(system, names, startStep)
}

/** The parts of a click, of which each shopper sends one. */
export const clickOf = (port: number, { saleId, startToken }: OpenSale, session: ShopperSession) => ({
  path: `/api/sales/${saleId}/orders`,
  headers: {
    ...sessionHeaders(session),
    'content-type': 'application/json',
    'idempotency-key': 'bench',
    origin: `http://127.0.0.1:${port}`,
  },
  body: JSON.stringify({ quantity: 1, startToken }),
})

export const clickText = (port: number, sale: OpenSale, session: ShopperSession) =>
  postText(port, clickOf(port, sale, session))
