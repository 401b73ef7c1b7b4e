/** The adapters that change a written order: units may be released and money refunded. */

import type { PaymentProvider } from '../lib/shop/payment-provider.ts'
import type { Shopfront } from '../lib/shop/publisher.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { Stores } from './connect.ts'
import { releasePorts } from './release-ports.ts'

export function changeOrderPorts(
  stores: Stores,
  shopfront: Shopfront,
  provider: PaymentProvider,
  telemetry: Telemetry,
) {
  return {
    ...releasePorts(stores, shopfront, telemetry),
    provider,
  }
}
