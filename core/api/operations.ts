/**
 * The operations of the HTTP API that functions answer. Routes, validation, roles and the check of
 * docs/reference/http-api.md follow from this table. Of its parts each function loads its own.
 */
import { controlOperations } from './control-operations.ts'
import { deliveryApi } from './delivery.ts'
import type { FullOperation } from './operation.ts'
import { redeemApi } from './redeem.ts'
import { shopApi } from './shop.ts'
import { signInApi } from './sign-in.ts'
import { unsubscribeApi } from './unsubscribe.ts'
import { walletApi } from './wallet.ts'

export const operations: Readonly<Record<string, FullOperation>> = {
  ...shopApi,
  ...walletApi,
  ...deliveryApi,
  ...unsubscribeApi,
  ...signInApi,
  ...redeemApi,
  ...controlOperations,
}
