/**
 * The order of the checks, cheapest first (L6). What memory can refuse is refused from memory; only what is
 * left becomes a Hono request, is identified and, if every check lets it pass, handed on to its origin.
 * `checks/path.ts` comes before all of these: it says which of the lists applies.
 */
import type { AppCheck } from './app-env.ts'
import { checkAllowedOrigin } from './checks/allowed-origin.ts'
import { checkBuyRequest } from './checks/buy-request.ts'
import { checkContentType } from './checks/content-type.ts'
import { checkIdentity } from './checks/identity.ts'
import { checkKnownSale } from './checks/known-sale.ts'
import { checkOrderChanges, checkPerShopper } from './checks/per-shopper.ts'
import { checkPhase } from './checks/phase.ts'
import { checkQuery } from './checks/query.ts'
import { checkRole } from './checks/role.ts'
import { checkSignatureShape } from './checks/signature-shape.ts'
import { checkSize } from './checks/size.ts'
import { checkSoldOut } from './checks/sold-out.ts'
import { checkStartToken } from './checks/start-token.ts'
import { checkTokenShape } from './checks/token-shape.ts'
import { forward, forwardWebhook } from './forward.ts'
import type { MemoryCheck } from './visit.ts'

type Funnel = { memory: readonly MemoryCheck[]; app: readonly AppCheck[] }

export const funnels = {
  buy: {
    memory: [checkSize, checkContentType, checkKnownSale, checkPhase, checkSoldOut],
    app: [
      checkTokenShape,
      checkIdentity,
      checkPerShopper,
      checkAllowedOrigin,
      checkBuyRequest,
      checkStartToken,
      forward,
    ],
  },
  orders: {
    memory: [checkSize, checkQuery],
    app: [checkTokenShape, checkIdentity, forward],
  },
  'order-change': {
    memory: [checkSize, checkQuery, checkContentType],
    app: [checkTokenShape, checkIdentity, checkAllowedOrigin, checkOrderChanges, forward],
  },
  webhook: {
    memory: [checkSize, checkQuery, checkContentType, checkSignatureShape],
    app: [forwardWebhook],
  },
  control: {
    memory: [checkSize, checkQuery, checkContentType],
    app: [checkTokenShape, checkIdentity, checkRole, checkAllowedOrigin, forward],
  },
} as const satisfies Record<string, Funnel>
