/** `GET /api/wallet`. */

import { walletApi } from '../../core/api/wallet.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { readWallet, type WalletPorts } from './wallet.ts'

const routes = [
  on(walletApi.getWallet, async (ports: WalletPorts, { caller, query }) =>
    readWallet(ports, caller.shopperId, { all: query.statement === 'all' }),
  ),
]

/** Answers requests about the caller's own wallet. */
export const walletApp = (ports: WalletPorts) => createApp(ports, routes, forShoppers)
