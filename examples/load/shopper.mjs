// One shopper of the crowd: loads the page, waits for the start, clicks as the client of Sluice does, and looks for the order.
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createClient } from './client/client.js'

/** The value of an environment variable. @throws when it is not set */
function required(name) {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

const [url, saleId] = [required('SLUICE_URL').replace(/\/$/, ''), required('SALE')]
const issuer = required('SHOP_ISSUER')
const key = createPrivateKey(process.env.SHOP_KEY ?? readFileSync(required('SHOP_KEY_FILE')))
const algorithm = { ed25519: 'EdDSA', rsa: 'RS256' }[key.asymmetricKeyType]
if (algorithm === undefined) throw new Error('the key of the shop must be an Ed25519 or RSA key')

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of the shop for a customer, as docs/how-to/customers.md describes it. It is valid for an hour at most. */
function customerToken(sub) {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: url, sub, iat, exp: iat + 3600 }
  const signed = `${part({ alg: algorithm, kid: process.env.SHOP_KEY_ID ?? 'first' })}.${part(claims)}`
  const digest = algorithm === 'RS256' ? 'RSA-SHA256' : null
  return `${signed}.${sign(digest, Buffer.from(signed), key).toString('base64url')}`
}

/** How long a winner waits for the order of its 202, ms. */
const orderWithinMs = 120_000

/**
 * Artillery calls this once for each shopper. It counts each outcome and measures the time until the answer and until the
 * order can be read, in ms. Artillery adds up the counts of all machines.
 */
export async function buyOneUnit(_context, events) {
  const count = (name) => events.emit('counter', `sluice.${name}`, 1)
  const measure = (name, since) => events.emit('histogram', `sluice.${name}_ms`, performance.now() - since)
  const token = customerToken(randomUUID())
  const shop = createClient({ url, token: () => token })
  count('shoppers')
  try {
    await fetch(`${url}/sales/${saleId}/`).then((page) => page.text())
    await shop.getPass()
    await shop.whenOpen(saleId)
  } catch (error) {
    // Such a shopper has not clicked.
    return count(`not-begun.${error.problem?.code ?? error.name}`)
  }
  const clickedAt = performance.now()
  const bought = await shop.buy(saleId, { quantity: 1 })
  measure('answer', clickedAt)
  if (bought.kind !== 'won') return count(bought.kind === 'refused' ? `refused.${bought.problem.code}` : bought.kind)
  count('won')
  await findOrder(shop, bought.orderId, count)
  measure('order', clickedAt)
}

/** Counts the first status that the order has in the table, or that it was not found in time. */
async function findOrder(shop, orderId, count) {
  try {
    for await (const { status } of shop.changes(orderId, AbortSignal.timeout(orderWithinMs))) {
      if (status !== 'reserved') return count(status === 'rejected' ? 'order.rejected' : 'order.written')
    }
  } catch {
    // The time is over, or the shop did not answer: the verdict reports it.
  }
  count('order.missing')
}
