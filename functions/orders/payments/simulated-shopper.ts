/** Serves the simulated provider's pages for the shopper: the payment page and its form. */
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { decodeText } from '../../../core/lib/json.ts'
import { type PaymentStage, paymentChoices, renderPaymentPage } from '../../../templates/pages/payment-simulator.ts'
import type { HttpAnswer } from '../../lib/http/answer.ts'
import type { ProviderPayment } from '../../table/orders/simulated-payments.ts'
import type { PaymentLedger } from './payment-ledger.ts'
import type { ProviderRequest } from './simulated-api.ts'

/**
 * `prefix` starts all paths of these pages. The pages name `provider` as the simulated one. `isWaiting`: the shop learns
 * the result only while the shopper stays on the page.
 */
export type ShopperPagePorts = {
  provider: 'simulated' | 'stripe'
  ledger: Pick<PaymentLedger, 'newest' | 'decide'>
  clock(): number
  prefix: string
  isWaiting(orderId: OrderId): Promise<boolean>
}

/** `same-origin`: a stricter policy would hide the origin of the form from the provider. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

const formLimitBytes = 1024

/** Answers a browser. The caller of this function has checked access. */
export async function answerShopper(
  ports: ShopperPagePorts,
  { method, path, headers: asked, body }: ProviderRequest,
): Promise<HttpAnswer> {
  const orderId = parseOrderId(path.slice(ports.prefix.length))
  if (orderId === undefined) return plain(404, 'There is no such page.')
  const page = async (status: number, payment: ProviderPayment | undefined) => {
    const isWaiting = await ports.isWaiting(orderId)
    const { provider } = ports
    const shown = { provider, stage: stageOf(ports, payment), orderId, payment, isWaiting }
    const html = renderPaymentPage(shown, asked['accept-language'] ?? '')
    return answer(status, 'text/html', html, { vary: 'accept-language' })
  }
  const payment = await ports.ledger.newest(orderId)
  if (method === 'GET') return page(payment === undefined ? 404 : 200, payment)
  if (method !== 'POST') return plain(405, 'Use GET or POST.', { allow: 'GET, POST' })
  const wanted = new URLSearchParams(decodeText(body.subarray(0, formLimitBytes))).get('choice')
  const choice = paymentChoices.find((one) => one === wanted)
  if (choice === undefined) return plain(400, `choice must be one of ${paymentChoices.join(', ')}.`)
  if (payment === undefined) return page(404, payment)
  if (!(await ports.ledger.decide(payment, choice))) return page(409, await ports.ledger.newest(orderId))
  const location = (await ports.isWaiting(orderId)) ? path : payment.returnUrl
  return { statusCode: 303, headers: { ...headers, location }, body: '' }
}

function stageOf({ clock }: ShopperPagePorts, payment: ProviderPayment | undefined): PaymentStage {
  if (payment === undefined) return 'none'
  return payment.state === 'open' && clock() >= payment.until ? 'late' : payment.state
}

function answer(statusCode: number, type: string, body: string, more: Record<string, string> = {}): HttpAnswer {
  return { statusCode, headers: { ...headers, 'content-type': `${type}; charset=utf-8`, ...more }, body }
}

function plain(statusCode: number, body: string, more: Record<string, string> = {}): HttpAnswer {
  return answer(statusCode, 'text/plain', `${body}\n`, more)
}
