/**
 * The gate as one Hono app: a route per kind of request, each with its checks in order, cheapest
 * first (L6). A refusal from memory comes before any cryptography.
 *
 * A purchase costs the store nothing until it is likely to win: its admission and the first use of
 * its challenge come last, so the store's load follows the stock.
 */
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import {
  checkBuyRequest,
  checkClaimRequest,
  checkCookieOrigin,
  checkOrderOrigin,
  checkOrigin,
  checkPageOrigin,
  checkSaleOrigin,
} from './checks/body.ts'
import { checkAdmission, checkFull, checkSoldOut, checkSoldOutVariant } from './checks/capacity.ts'
import {
  checkChallenge,
  checkChallengeRequest,
  checkEntryChallenge,
  checkFirstUse,
  issueChallenge,
} from './checks/challenge.ts'
import { checkOtherSession, checkRefreshCookie, leaveForShop, openCustomerSession } from './checks/customer.ts'
import { checkEarlyAccess } from './checks/early-access.ts'
import {
  forward,
  forwardControl,
  forwardOpen,
  forwardPurchase,
  forwardShop,
  forwardSignIn,
  forwardWebhook,
} from './checks/forward.ts'
import { checkKnownSale } from './checks/known-sale.ts'
import { checkPass, checkPassOwner, checkTurn, givePass, offerPass } from './checks/pass.ts'
import {
  checkNotEnded,
  checkPhase,
  checkStartToken,
  observeEpochBeforeStart,
  observeEpochOfBody,
  returnLeaseOfFrozenSale,
} from './checks/phase.ts'
import {
  checkContentType,
  checkOpenQuery,
  checkOpenRate,
  checkQuery,
  checkShopKey,
  checkSignatureShape,
  checkSize,
  checkWebhookRate,
  methodNotAllowedResponse,
  notFoundResponse,
  openMemory,
} from './checks/request.ts'
import { checkBlockedAddress, checkBlockedCaller, checkKind, prefetchSale, takeSaleId } from './checks/sale.ts'
import {
  checkBlockedShopKey,
  checkBlockedShopper,
  checkChallengeRate,
  checkIdentity,
  checkLevel,
  checkOneToken,
  checkOrderChangeRate,
  checkOrderReadRate,
  checkPerAddress,
  checkPerShopper,
  checkRole,
  checkTokenShape,
} from './checks/shopper.ts'
import { type RouteKind, routeKinds, routes } from './routes.ts'
import { type GateRequest, methods, otherMethod } from './stand-ins.ts'
import { type Arrival, answerWith, type Check, Funnel, type GateEnv } from './typed-funnel.ts'

const start = new Funnel().use(openMemory).use(checkSize)

const onSale = start
  .use(checkContentType)
  .use(checkOneToken)
  .use(takeSaleId)
  .use(prefetchSale)
  .use(checkBlockedAddress)
  .use(checkKnownSale)

/**
 * For requests that want units of a sale; `checkRequest` reads the body. The checks up to the turn are
 * in the order of CloudFront's function before the gate, so that both give the same answer.
 */
const wantsUnits = (checkRequest: Check<'memory', 'body' | 'key' | 'variant'>) =>
  onSale
    .use(checkKind)
    .use(returnLeaseOfFrozenSale)
    .use(observeEpochBeforeStart)
    .use(checkPhase)
    .use(checkSoldOut)
    .use(checkPass)
    .use(checkTurn)
    .use(checkFull)
    .use(checkTokenShape)
    .use(checkPerAddress)
    .use(checkIdentity)
    .use(offerPass)
    .use(checkPassOwner)
    .use(checkPerShopper)
    .use(checkBlockedShopper)
    .use(checkLevel)
    .use(checkSaleOrigin)
    .use(checkRequest)
    .use(observeEpochOfBody)
    .use(checkSoldOutVariant)
    .use(checkStartToken)
    .use(checkEarlyAccess)
    .use(checkChallenge)
    .use(checkAdmission)
    .use(checkFirstUse)
    .use(forwardPurchase)

const ownChange = start
  .use(checkQuery)
  .use(checkContentType)
  .use(checkBlockedCaller)
  .use(checkTokenShape)
  .use(checkIdentity)
  .use(checkBlockedShopper)

/** The gate's app of Hono, which leaves the answer in `arrival`. */
type GateApp = { fetch(request: GateRequest, arrival: Arrival): unknown }

const funnels: Readonly<Record<RouteKind, Funnel>> = {
  buy: wantsUnits(checkBuyRequest),
  claim: wantsUnits(checkClaimRequest),
  challenge: onSale
    .use(checkNotEnded)
    .use(checkTokenShape)
    .use(checkPerAddress)
    .use(checkIdentity)
    .use(offerPass)
    .use(checkBlockedShopper)
    .use(checkLevel)
    .use(checkOrigin)
    .use(checkChallengeRequest)
    .use(checkChallengeRate)
    .use(issueChallenge),
  pass: start
    .use(checkQuery)
    .use(checkBlockedCaller)
    .use(checkTokenShape)
    .use(checkIdentity)
    .use(checkBlockedShopper)
    .use(checkOrigin)
    .use(givePass),
  orders: start
    .use(checkQuery)
    .use(checkBlockedCaller)
    .use(checkTokenShape)
    .use(checkIdentity)
    .use(checkBlockedShopper)
    .use(checkOrigin)
    .use(checkOrderReadRate)
    .use(forward),
  // The rate comes first: an origin costs a read of the sale that a shopper may make up.
  'order-change': ownChange.use(checkCookieOrigin).use(checkOrderChangeRate).use(checkOrderOrigin).use(forward),
  // Reads count as changes: each of them decrypts.
  delivery: ownChange.use(checkOrigin).use(checkOrderChangeRate).use(forward),
  /** A shopper who asks an option for something of a sale has the checks of a click that need no start. */
  'of-sale': onSale
    .use(checkQuery)
    .use(checkTokenShape)
    .use(checkPerAddress)
    .use(checkIdentity)
    .use(checkBlockedShopper)
    .use(checkLevel)
    .use(checkOrigin)
    .use(checkOrderChangeRate)
    .use(checkEntryChallenge)
    .use(forward),
  'sign-in': start.use(checkOpenQuery).use(checkBlockedCaller).use(checkOpenRate).use(leaveForShop).use(forwardSignIn),
  customer: start
    .use(checkQuery)
    .use(checkBlockedCaller)
    .use(checkTokenShape)
    .use(checkIdentity)
    .use(checkBlockedShopper)
    .use(checkPageOrigin)
    .use(checkOtherSession)
    .use(openCustomerSession),
  // No block list here: a blocked shopper must be able to sign out.
  session: start
    .use(checkQuery)
    .use(checkContentType)
    .use(checkPageOrigin)
    .use(checkOpenRate)
    .use(checkRefreshCookie)
    .use(forwardSignIn),
  // Mail programs send the POST from anywhere (RFC 8058): its token alone says for whom.
  unsubscribe: start.use(checkOpenQuery).use(checkOpenRate).use(forwardOpen),
  webhook: start
    .use(checkQuery)
    .use(checkContentType)
    .use(checkSignatureShape)
    .use(checkWebhookRate)
    .use(forwardWebhook),
  // Tills and web shops have no session: the function behind the gate verifies their key.
  redeem: start
    .use(checkQuery)
    .use(checkContentType)
    .use(checkBlockedCaller)
    .use(checkShopKey)
    .use(checkOpenRate)
    .use(checkBlockedShopKey)
    .use(forwardShop),
  // No blocked addresses here: a marketer must be able to lift a block that hits the marketer's own
  // address.
  control: start
    .use(checkQuery)
    .use(checkContentType)
    .use(checkTokenShape)
    .use(checkIdentity)
    .use(checkRole)
    .use(checkBlockedShopper)
    .use(checkOrigin)
    .use(forwardControl),
}

/** Makes the app with the routes of the gate. `TrieRouter` takes paths exactly; Hono's router by regular expressions refuses ours. */
export function createGateApp(): GateApp {
  const app = new HonoBase<GateEnv>({
    router: new TrieRouter(),
    getPath: (_request, options) => rawPath(options?.env?.request.uri),
  })
  for (const kind of routeKinds) {
    const { paths, methods: allowed } = routes[kind]
    const wrongMethod = methodNotAllowedResponse(allowed)
    app.on([...allowed], [...paths], funnels[kind].handler(kind))
    app.on(
      [...methods, otherMethod].filter((method) => !allowed.includes(method)),
      [...paths],
      (c) => answerWith(c, wrongMethod),
    )
  }
  // Also the end of a funnel whose last check neither answered nor forwarded.
  app.notFound((c) => answerWith(c, notFoundResponse))
  app.onError((error) => {
    throw error
  })
  return app
}

/** The router would also take a path without its first slash, and the text of a parameter as the parameter. */
const rawPath = (uri: string | undefined) => (uri?.startsWith('/') && !uri.includes('{') ? uri : '')
