/** The provider's pages for the shopper: the payment page, its style sheet, and its form. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type OrderId, parseOrderId } from '../../core/ids.ts'
import { readBody } from '../cdn/body.ts'
import { type Book, choices, type ProviderPayment } from './book.ts'
import { type PaymentStage, renderPaymentPage, stylesheet } from './page.ts'

export const pagePrefix = '/local/pay/'

export type ShopperPorts = { book: Pick<Book, 'newest' | 'decide'>; clock(): number }

/** The page's address in the shop's site. */
export const paymentPageUrl = (orderId: OrderId) => `${pagePrefix}${orderId}`

export type PageAnswer = { status: number; headers: Record<string, string>; body: string }

const css = readFileSync(new URL('pay.css', import.meta.url), 'utf8')

/** `same-origin`: a stricter policy would hide the origin of the form from us. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

const formLimitBytes = 1024

/** Answers a browser. The caller has checked its access. */
export async function answerShopper(
  ports: ShopperPorts,
  path: string,
  request: IncomingMessage,
): Promise<PageAnswer> {
  const { method } = request
  if (path === stylesheet && method === 'GET') return answer(200, 'text/css', css)
  const orderId = parseOrderId(path.slice(pagePrefix.length))
  if (orderId === undefined) return plain(404, 'There is no such page.')
  const payment = ports.book.newest(orderId)
  const page = (status: number) => {
    const html = renderPaymentPage(
      stageOf(ports, payment),
      orderId,
      payment,
      request.headers['accept-language'] ?? '',
    )
    return answer(status, 'text/html', html, { vary: 'accept-language' })
  }
  if (method === 'GET') return page(payment === undefined ? 404 : 200)
  if (method !== 'POST') return plain(405, 'Use GET or POST.', { allow: 'GET, POST' })
  const form = await readBody(request, formLimitBytes)
  const wanted = new URLSearchParams(form.toString('utf8')).get('choice')
  const choice = choices.find((one) => one === wanted)
  if (choice === undefined) return plain(400, `choice must be one of ${choices.join(', ')}.`)
  if (payment === undefined) return page(404)
  if (!ports.book.decide(payment, choice)) return page(409)
  return { status: 303, headers: { ...headers, location: payment.returnUrl }, body: '' }
}

function stageOf({ clock }: ShopperPorts, payment: ProviderPayment | undefined): PaymentStage {
  if (payment === undefined) return 'none'
  return payment.state === 'open' && clock() >= payment.until ? 'late' : payment.state
}

function answer(status: number, type: string, body: string, more: Record<string, string> = {}): PageAnswer {
  return { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8`, ...more }, body }
}

function plain(status: number, body: string, more: Record<string, string> = {}): PageAnswer {
  return answer(status, 'text/plain', `${body}\n`, more)
}
