/** Events as Sluice makes and sends them, for two sales of one shop. */
import { request } from 'node:http'
import { Webhook } from 'standardwebhooks'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const url = (port: number) => `http://127.0.0.1:${port}`

export type Sent = { id: string; type: string; at: number; data: Record<string, unknown> }

export const environment = {
  EVENTS_SECRET: secret,
  SHOPIFY_TOKEN: 'shop-token',
  WOOCOMMERCE_KEY: 'ck_shop',
  WOOCOMMERCE_SECRET: 'cs_shop',
}

const gid = (kind: string, id: number) => `gid://shopify/${kind}/${id}`
const shopifyProduct = (id: number) => ({
  variantId: gid('ProductVariant', id),
  inventoryItemId: gid('InventoryItem', id),
})

/** The sale `mug` sells one product, the sale `shirt` a product in two colours. */
export const configs = {
  shopify: (shopUrl: string, journal: string, port: number) => ({
    ...{ journal, listen: { port } },
    shop: { kind: 'shopify', url: shopUrl, locationId: gid('Location', 1) },
    sales: {
      mug: { product: shopifyProduct(1) },
      shirt: { variants: { red: shopifyProduct(2), blue: shopifyProduct(3) } },
    },
  }),
  woocommerce: (shopUrl: string, journal: string, port: number) => ({
    ...{ journal, listen: { port } },
    shop: { kind: 'woocommerce', url: shopUrl },
    sales: {
      mug: { product: { productId: 1 } },
      shirt: { variants: { red: { productId: 7, variationId: 2 }, blue: { productId: 7, variationId: 3 } } },
    },
  }),
} as const

type EventOf = (type: string, id: string, revision: number, at: number, data: Record<string, unknown>) => Sent

export const orderEvent: EventOf = (type, orderId, revision, at, data) => ({
  ...{ id: `${orderId}_${revision}`, type, at },
  data: { orderId, shopperId: 'ann', revision, ...data },
})

export const stockEvent: EventOf = (type, saleId, revision, at, data) => ({
  ...{ id: `sale_${saleId}_${revision}`, type, at },
  data: { saleId, windowIndex: 0, revision, ...data },
})

export function signed({ id, type, at, data }: Sent, keys = [secret], signedAt = new Date()) {
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  const signatures = keys.map((key) => new Webhook(key).sign(id, signedAt, body))
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
  return { body, headers }
}

/** Posts an event and resolves with the status, or `undefined` without an answer. */
export function post(port: number, { body, headers }: ReturnType<typeof signed>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const posted = request(
      { host: '127.0.0.1', port, path: '/events', method: 'POST', headers, agent: false },
      (response) => {
        response.resume().once('close', () => resolve(response.statusCode))
      },
    )
    posted.once('error', () => resolve(undefined))
    posted.end(body)
  })
}

export type Health = { waiting?: number; deadLetters?: { id: string; type: string; why: string }[] }

export async function healthOf(port: number): Promise<Health | undefined> {
  const response = await fetch(`${url(port)}/health`).catch(() => undefined)
  return response?.ok ? ((await response.json()) as Health) : undefined
}
