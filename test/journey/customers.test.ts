/** The shop's own customers through the whole system, with the code that docs/how-to/customers.md gives to shops. */
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customersPage, snippetIn } from '../../proof/snippets.ts'
import { ownFolder } from './own-stack.ts'
import { sharedShop } from './shared-shop.ts'
import { buyWhenAdmitted, call, control, eventually, openSale, writtenOrder } from './support.ts'

const stack = sharedShop('customers')
const issuer = 'https://shop.example'
const folder = await ownFolder()
let jwksUrl: string
let customerToken: (sale: string, sub: string, name: string) => string
const served = { keys: [{}] }
const shop = createServer((_, response) => response.end(JSON.stringify(served)))

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = join(folder, 'shop-key.pem')
  await writeFile(pem, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  served.keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }]
  await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
  jwksUrl = `http://localhost:${(shop.address() as AddressInfo).port}/jwks.json`
  const snippet = snippetIn(await readFile(customersPage, 'utf8'), 'js')
  const module = join(folder, 'token.mjs')
  await writeFile(module, snippet.replace("'shop-key.pem'", JSON.stringify(pem)))
  customerToken = (await import(pathToFileURL(module).href)).customerToken
})

afterAll(() => void shop.close())

describe("the shop's own customers", () => {
  it('buy with a token of the shop, and with the session that it opens, until the shop is taken back', async () => {
    const { saleId, startToken } = await openSale(stack, { limitPerShopper: 2 })
    const ann = customerToken(stack.url, 'ann-4711', 'Ann')
    const orders = (token: string) => call(stack, '/api/orders', { token })
    expect(await orders(ann)).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })

    await control(stack, '/customer-issuers/journey', { issuer, jwksUrl }, 'PUT')
    await eventually(async () => ((await orders(ann)).status === 200 ? true : undefined))
    const won = await buyWhenAdmitted(stack, saleId, { token: ann, startToken })
    expect(won).toMatchObject({ status: 202, body: { status: 'reserved', quantity: 1 } })
    expect(await writtenOrder(stack, won.body.orderId, ann)).toMatchObject({ saleId, status: 'awaiting-payment' })
    const found = await control<{ orders: { shopperId: string }[] }>(stack, '/orders/find', { find: won.body.orderId })
    expect(found.orders).toMatchObject([{ shopperId: 'customer:journey|ann-4711' }])

    const opened = await call<{ expiresInSeconds: number }>(stack, '/api/sign-in/customer', {
      method: 'POST',
      token: ann,
      headers: { origin: stack.url },
    })
    expect(opened).toMatchObject({ status: 200, body: { shopperId: 'customer:journey|ann-4711', name: 'Ann' } })
    const cookie = opened.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    expect(await call(stack, `/api/orders/${won.body.orderId}`, { headers: { cookie } })).toMatchObject({ status: 200 })

    const bob = customerToken(stack.url, 'bob-4712', 'Bob')
    expect(await call(stack, `/api/orders/${won.body.orderId}`, { token: bob })).toMatchObject({ status: 404 })

    await control(stack, '/customer-issuers/journey', undefined, 'DELETE')
    const refused = await eventually(async () => {
      const answer = await orders(bob)
      return answer.status === 200 ? undefined : answer
    })
    expect(refused).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })
  })
})
