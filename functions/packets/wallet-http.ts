/** `GET /api/wallet`. */
import { walletApi } from '../../core/api/wallet.ts'
import type { ShopperId } from '../../core/ids.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import { readWallet, type WalletPorts } from './wallet.ts'

type Context = { ports: WalletPorts; request: HttpRequest; shopperId: ShopperId }

const route = createRouter<Context>([
  {
    ...walletApi.getWallet,
    run: async ({ ports, request, shopperId }) => {
      const asked = request.query.get('statement')
      if (asked !== null && asked !== 'all') return invalid('statement', 'statement must be all')
      return answerOf(walletApi.getWallet, await readWallet(ports, shopperId, { all: asked === 'all' }))
    },
  },
])

/**
 * Answers one request about the caller's own wallet.
 * @throws what the ports throw
 */
export async function answerWallet(ports: WalletPorts, request: HttpRequest): Promise<HttpAnswer> {
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  return route(request, { ports, request, shopperId: caller.shopperId })
}
