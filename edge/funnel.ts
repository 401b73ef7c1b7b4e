/**
 * The order of the checks, cheapest first (L6). What memory can refuse is refused from memory; only what is
 * left becomes a Hono request, is identified and, if every check lets it pass, handed on to its origin.
 * `checks/path.ts` comes before all of these: it says which of the lists applies.
 *
 * A purchase costs the store nothing until it is sure to be one that can win: what is asked for it alone, an admission and
 * the first use of its challenge, is asked last and so follows the stock.
 */
import { type EdgeAnswer, throughApp } from './adapter.ts'
import { answerChallenge } from './answer-challenge.ts'
import { createApp } from './app.ts'
import type { AppCheck } from './app-env.ts'
import { checkAdmission } from './checks/admission.ts'
import { checkAllowedOrigin } from './checks/allowed-origin.ts'
import { checkBlockedAddress } from './checks/blocked-address.ts'
import { checkBlockedShopper } from './checks/blocked-shopper.ts'
import { checkBuyRequest } from './checks/buy-request.ts'
import { checkChallenge } from './checks/challenge.ts'
import { checkClaimRequest } from './checks/claim-request.ts'
import { checkContentType } from './checks/content-type.ts'
import { checkFirstUse } from './checks/first-use.ts'
import { checkFull } from './checks/full.ts'
import { checkIdentity } from './checks/identity.ts'
import { checkKind } from './checks/kind.ts'
import { checkKnownSale } from './checks/known-sale.ts'
import { checkLevel } from './checks/level.ts'
import { checkOrderReads } from './checks/order-reads.ts'
import { checkPerAddress } from './checks/per-address.ts'
import { checkPerSale } from './checks/per-sale.ts'
import { checkChallengesOfShopper, checkOrderChanges, checkPerShopper } from './checks/per-shopper.ts'
import { checkNotOver, checkPhase } from './checks/phase.ts'
import { checkQuery } from './checks/query.ts'
import { checkRole } from './checks/role.ts'
import { checkSignatureShape } from './checks/signature-shape.ts'
import { checkSize } from './checks/size.ts'
import { checkSoldOut } from './checks/sold-out.ts'
import { checkStartToken } from './checks/start-token.ts'
import { checkTokenShape } from './checks/token-shape.ts'
import { checkWebhookRate } from './checks/webhook-rate.ts'
import { forward, forwardWebhook } from './forward.ts'
import { checkNewerOpening } from './newer-opening.ts'
import type { Route } from './routes.ts'
import type { MemoryCheck, Visit } from './visit.ts'

type Funnel = { memory: readonly MemoryCheck[]; app: (visit: Visit) => Promise<EdgeAnswer> }

const appOf = (checks: readonly AppCheck[]) => throughApp(createApp(checks))

/** Of whoever wants something of a sale; `checkRequest` reads what. */
const wanting = (checkRequest: AppCheck): Funnel => ({
  memory: [
    checkSize,
    checkContentType,
    checkBlockedAddress,
    checkKnownSale,
    checkKind,
    checkPhase,
    checkSoldOut,
    checkFull,
  ],
  app: appOf([
    checkTokenShape,
    checkPerAddress,
    checkIdentity,
    checkPerShopper,
    checkBlockedShopper,
    checkLevel,
    checkAllowedOrigin,
    checkRequest,
    checkNewerOpening,
    checkStartToken,
    checkChallenge,
    checkAdmission,
    checkFirstUse,
    checkPerSale,
    forward,
  ]),
})

export const funnels: Readonly<Record<Route['kind'], Funnel>> = {
  buy: wanting(checkBuyRequest),
  claim: wanting(checkClaimRequest),
  challenge: {
    memory: [checkSize, checkContentType, checkBlockedAddress, checkKnownSale, checkNotOver],
    app: appOf([
      checkTokenShape,
      checkPerAddress,
      checkIdentity,
      checkBlockedShopper,
      checkLevel,
      checkAllowedOrigin,
      checkChallengesOfShopper,
      answerChallenge,
    ]),
  },
  orders: {
    memory: [checkSize, checkQuery, checkBlockedAddress],
    app: appOf([checkTokenShape, checkIdentity, checkBlockedShopper, checkOrderReads, forward]),
  },
  'order-change': {
    memory: [checkSize, checkQuery, checkContentType, checkBlockedAddress],
    app: appOf([
      checkTokenShape,
      checkIdentity,
      checkBlockedShopper,
      checkAllowedOrigin,
      checkOrderChanges,
      forward,
    ]),
  },
  webhook: {
    memory: [checkSize, checkQuery, checkContentType, checkSignatureShape, checkWebhookRate],
    app: appOf([forwardWebhook]),
  },
  // Block lists do not count here: a marketer must be able to lift a block of their own.
  control: {
    memory: [checkSize, checkQuery, checkContentType],
    app: appOf([checkTokenShape, checkIdentity, checkRole, checkAllowedOrigin, forward]),
  },
}
