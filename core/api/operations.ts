/**
 * The operations of the HTTP API. Routes of functions, request validation, roles and the check of
 * docs/reference/http-api.md are derived from this table. Each function loads only its own part of it.
 */

import { optionShopperOperations } from '../options.ts'
import { controlOperations } from './control-requests.ts'
import { deliveryApi, unsubscribeApi } from './delivery.ts'
import { edgeApi } from './edge.ts'
import { heldReadsApi } from './held-reads.ts'
import type { FullOperation } from './operation.ts'
import { ownDataApi } from './own-data.ts'
import { purchaseApi } from './purchase.ts'
import { shopApi } from './shop.ts'
import { redeemApi, reservationApi } from './shop-calls.ts'
import { signInApi } from './sign-in.ts'
import { walletApi } from './wallet.ts'

const all = {
  ...edgeApi,
  ...purchaseApi,
  ...shopApi,
  ...walletApi,
  ...heldReadsApi,
  ...deliveryApi,
  ...ownDataApi,
  ...unsubscribeApi,
  ...signInApi,
  ...redeemApi,
  ...reservationApi,
  ...controlOperations,
  ...optionShopperOperations,
} as const satisfies Record<string, FullOperation>

export type OperationName = keyof typeof all

export const operations: Readonly<Record<OperationName, FullOperation>> = all
