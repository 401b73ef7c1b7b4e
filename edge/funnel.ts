/**
 * The gate as one Hono app: a route per kind of request, each with its checks in order, cheapest
 * first (L6). Most refusals from memory come before the session's signature is verified.
 *
 * A purchase costs the store little until it is likely to win: its admission and the first use of
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
import { checkAdmission, checkAdmissionsLeft, checkSoldOut, checkSoldOutVariant } from './checks/capacity.ts'
import {
  checkChallenge,
  checkChallengeRequest,
  checkEntryChallenge,
  checkFirstUse,
  issueChallenge,
} from './checks/challenge.ts'
import { checkOtherSession, checkRefreshCookie, openCustomerSession, redirectToShopSignIn } from './checks/customer.ts'
import { checkEarlyAccess } from './checks/early-access.ts'
import {
  forward,
  forwardControl,
  forwardPurchase,
  forwardShop,
  forwardSignIn,
  forwardWebhook,
  forwardWithoutSession,
} from './checks/forward.ts'
import { checkKnownSale } from './checks/known-sale.ts'
import { addPass, answerPass, checkPass, checkPassOwner, checkTurn } from './checks/pass.ts'
import {
  checkOpenOrScheduled,
  checkPhase,
  checkStartToken,
  refreshFactsBeforeStart,
  refreshFactsForBody,
  returnLeaseOfFrozenSale,
} from './checks/phase.ts'
import {
  checkContentType,
  checkQuery,
  checkQueryWithoutSession,
  checkRateWithoutSession,
  checkShopKey,
  checkSignatureShape,
  checkSize,
  checkWebhookRate,
  loadMemory,
  methodNotAllowedResponse,
  notFoundResponse,
} from './checks/request.ts'
import { checkBlockedAddress, checkBlockedCaller, checkKind, prefetchSale, readSaleId } from './checks/sale.ts'
import {
  checkAddressRate,
  checkBlockedShopKey,
  checkBlockedShopper,
  checkChallengeRate,
  checkIdentity,
  checkLevel,
  checkOneToken,
  checkOrderChangeRate,
  checkOrderReadRate,
  checkRole,
  checkShopperRate,
  checkTokenShape,
} from './checks/shopper.ts'
import { type RouteKind, routeKinds, routes } from './routes.ts'
import { type GateRequest, methods, otherMethod } from './stand-ins.ts'
import { answerWith, type Check, Funnel, type GateEnv, type GateExchange } from './typed-funnel.ts'

const everyRequest = new Funnel().use(loadMemory).use(checkSize)

const saleRequest = everyRequest
  .use(checkContentType)
  .use(checkOneToken)
  .use(readSaleId)
  .use(prefetchSale)
  .use(checkBlockedAddress)
  .use(checkKnownSale)

/**
 * For requests that want units of a sale; `checkRequest` reads the body. The checks up to the turn are in the order of
 * CloudFront's function before the gate, so that both give the same answer, except that CloudFront's function checks an
 * invitation before the turn.
 */
const purchaseFunnel = (checkRequest: Check<'memory', 'body' | 'key' | 'variant'>) =>
  saleRequest
    .use(checkKind)
    .use(returnLeaseOfFrozenSale)
    .use(refreshFactsBeforeStart)
    .use(checkPhase)
    .use(checkSoldOut)
    .use(checkPass)
    .use(checkTurn)
    .use(checkAdmissionsLeft)
    .use(checkTokenShape)
    .use(checkAddressRate)
    .use(checkIdentity)
    .use(addPass)
    .use(checkPassOwner)
    .use(checkShopperRate)
    .use(checkBlockedShopper)
    .use(checkLevel)
    .use(checkSaleOrigin)
    .use(checkRequest)
    .use(refreshFactsForBody)
    .use(checkSoldOutVariant)
    .use(checkStartToken)
    .use(checkEarlyAccess)
    .use(checkChallenge)
    .use(checkAdmission)
    .use(checkFirstUse)
    .use(forwardPurchase)

const signedInRequest = everyRequest
  .use(checkQuery)
  .use(checkBlockedCaller)
  .use(checkTokenShape)
  .use(checkIdentity)
  .use(checkBlockedShopper)

const orderChange = everyRequest
  .use(checkQuery)
  .use(checkContentType)
  .use(checkBlockedCaller)
  .use(checkTokenShape)
  .use(checkIdentity)
  .use(checkBlockedShopper)

/** The gate's app of Hono, which leaves the answer in `arrival`. */
type GateApp = { fetch(request: GateRequest, arrival: GateExchange): unknown }

const funnels: Readonly<Record<RouteKind, Funnel>> = {
  buy: purchaseFunnel(checkBuyRequest),
  claim: purchaseFunnel(checkClaimRequest),
  challenge: saleRequest
    .use(checkOpenOrScheduled)
    .use(checkTokenShape)
    .use(checkAddressRate)
    .use(checkIdentity)
    .use(addPass)
    .use(checkBlockedShopper)
    .use(checkLevel)
    .use(checkOrigin)
    .use(checkChallengeRequest)
    .use(checkChallengeRate)
    .use(issueChallenge),
  pass: signedInRequest.use(checkOrigin).use(answerPass),
  orders: signedInRequest.use(checkOrigin).use(checkOrderReadRate).use(forward),
  // The rate comes before `checkOrderOrigin`, which reads a sale whose id may be made up.
  'order-change': orderChange.use(checkCookieOrigin).use(checkOrderChangeRate).use(checkOrderOrigin).use(forward),
  // Reads count as changes: each of them decrypts an address.
  delivery: orderChange.use(checkOrigin).use(checkOrderChangeRate).use(forward),
  /** Requests to an installed option (such as the draw) about a sale: the checks of a click that do not need an open sale. */
  'of-sale': saleRequest
    .use(checkQuery)
    .use(checkTokenShape)
    .use(checkAddressRate)
    .use(checkIdentity)
    .use(checkBlockedShopper)
    .use(checkLevel)
    .use(checkOrigin)
    .use(checkOrderChangeRate)
    .use(checkEntryChallenge)
    .use(forward),
  'sign-in': everyRequest
    .use(checkQueryWithoutSession)
    .use(checkBlockedCaller)
    .use(checkRateWithoutSession)
    .use(redirectToShopSignIn)
    .use(forwardSignIn),
  customer: signedInRequest.use(checkPageOrigin).use(checkOtherSession).use(openCustomerSession),
  // No block list here: a blocked shopper must be able to sign out.
  session: everyRequest
    .use(checkQuery)
    .use(checkContentType)
    .use(checkPageOrigin)
    .use(checkRateWithoutSession)
    .use(checkRefreshCookie)
    .use(forwardSignIn),
  // Mail programs send the POST from anywhere (RFC 8058): its token alone says for whom.
  unsubscribe: everyRequest.use(checkQueryWithoutSession).use(checkRateWithoutSession).use(forwardWithoutSession),
  webhook: everyRequest
    .use(checkQuery)
    .use(checkContentType)
    .use(checkSignatureShape)
    .use(checkWebhookRate)
    .use(forwardWebhook),
  // Cash registers and web shops have no session: the function behind the gate verifies their key.
  redeem: everyRequest
    .use(checkQuery)
    .use(checkContentType)
    .use(checkBlockedCaller)
    .use(checkShopKey)
    .use(checkRateWithoutSession)
    .use(checkBlockedShopKey)
    .use(forwardShop),
  // No blocked addresses here: a marketer must be able to lift a block that hits the marketer's own
  // address.
  control: everyRequest
    .use(checkQuery)
    .use(checkContentType)
    .use(checkTokenShape)
    .use(checkIdentity)
    .use(checkRole)
    .use(checkBlockedShopper)
    .use(checkOrigin)
    .use(forwardControl),
}

/** Makes the app with the routes of the gate. `TrieRouter` matches paths exactly; `RegExpRouter` cannot express ours. */
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

/** Without this the router would match a path without its first slash, and a path that contains a route pattern literally. */
const rawPath = (uri: string | undefined) => (uri?.startsWith('/') && !uri.includes('{') ? uri : '')
