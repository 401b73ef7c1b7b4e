/**
 * The link “Unsubscribe” of an e-mail. Reading it has no effect, because scanners of mail follow every link: the page
 * has a button, and mail programs send the same request for one click (RFC 8058).
 */
import { parseShopperId, type ShopperId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { renderUnsubscribe, renderUnsubscribed, renderUnsubscribeInvalid } from '../../static/pages/plain-page.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
import { unsubscribeSeal } from '../lib/sealer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { recordUnsubscribed } from '../table/people/contacts.ts'
import { forgetAsked } from './mail-options.ts'

/** `GET`: the page that asks, in `language`; `token` is that of the address. */
export async function askToUnsubscribe(
  ports: Pick<Shop, 'table' | 'sealer'>,
  token: string | null,
  language: Language,
): Promise<HttpAnswer> {
  const shopperId = await shopperIn(ports, token)
  return shopperId === undefined ? invalidLink(language) : page(200, renderUnsubscribe(language))
}

/**
 * `POST`: unsubscribes the token's shopper, and deletes what the shopper has asked for. Safe to repeat, and also answers 200
 * when no contact is kept.
 * @throws when the table is unavailable
 */
export async function unsubscribe(
  ports: Pick<Shop, 'table' | 'sealer'>,
  token: string | null,
  language: Language,
): Promise<HttpAnswer> {
  const shopperId = await shopperIn(ports, token)
  if (shopperId === undefined) return invalidLink(language)
  await recordUnsubscribed(ports.table, shopperId)
  await forgetAsked(ports.table, shopperId)
  return page(200, renderUnsubscribed(language))
}

async function shopperIn({ sealer }: Pick<Shop, 'sealer'>, token: string | null): Promise<ShopperId | undefined> {
  const content = token === null ? undefined : await sealer.open(unsubscribeSeal, token)
  return parseShopperId(content?.shopperId)
}

const invalidLink = (language: Language) => page(400, renderUnsubscribeInvalid(language))

/** `no-referrer`: the token is in the address. */
function page(statusCode: number, body: string): HttpAnswer {
  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body,
  }
}
