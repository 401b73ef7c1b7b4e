/** `GET /api/wallet`. */
import { shopApi } from '../../core/api/shop.ts'
import type { ShopperId } from '../../core/ids.ts'
import { answerOf, type HttpAnswer } from '../lib/http/answer.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import { readWallet, type WalletPorts } from './wallet.ts'

type Context = { ports: WalletPorts; shopperId: ShopperId }

const route = createRouter<Context>([
  {
    ...shopApi.getWallet,
    run: async ({ ports, shopperId }) => answerOf(shopApi.getWallet, await readWallet(ports, shopperId)),
  },
])

/**
 * Answers one request about the caller's own wallet.
 * @throws what the ports throw
 */
export async function answerWallet(ports: WalletPorts, request: HttpRequest): Promise<HttpAnswer> {
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  return route(request, { ports, shopperId: caller.shopperId })
}
