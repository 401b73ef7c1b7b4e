/** The adapters that change a written order: units may be released and money refunded. */

import type { Telemetry } from '../lib/telemetry.ts'
import type { ReleasePorts } from '../orders/release.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import { dynamoAuthorisations } from '../stores/authorisations.dynamodb.ts'
import type { Stores } from '../stores/connect.ts'
import { dynamoRefunds } from '../stores/refunds.dynamodb.ts'
import { releasePorts } from './release.ts'

export function changeOrderPorts(
  stores: Stores,
  shopfront: ReleasePorts['shopfront'],
  provider: PaymentProvider,
  telemetry: Telemetry,
) {
  return {
    ...releasePorts(stores, shopfront, telemetry),
    refunds: dynamoRefunds(stores.table),
    authorisations: dynamoAuthorisations(stores.table),
    provider,
  }
}
