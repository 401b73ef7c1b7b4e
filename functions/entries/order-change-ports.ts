/** The adapters that change a written order: units may be released and money refunded. */

import type { Telemetry } from '../lib/telemetry.ts'
import type { PaymentProvider } from '../orders/payments/payment-provider.ts'
import type { ReleasePorts } from '../orders/release.ts'
import type { Stores } from './connect.ts'
import { releasePorts } from './release-ports.ts'

export function changeOrderPorts(
  stores: Stores,
  shopfront: ReleasePorts['shopfront'],
  provider: PaymentProvider,
  telemetry: Telemetry,
) {
  return {
    ...releasePorts(stores, shopfront, telemetry),
    table: stores.table,
    provider,
  }
}
