import { describe, expect, it } from 'vitest'
import { eventOf, openGate, refusalOf, saleId } from '../support.ts'

const { handler, store } = openGate()
const ask = async (method: string, uri: string) => refusalOf(await handler(eventOf({ method, uri })))

describe('the path check', () => {
  const orderId = `${saleId}-abcdefghijklmnopqrstuvwxyz`

  it.each([
    '/',
    '/api',
    '/api/',
    '/api/sales',
    '/api/sales//orders',
    '/api/sales/ab/orders',
    `/api/sales/${saleId}`,
    `/api/sales/${saleId}/order`,
    `/api/sales/${saleId}/orders/`,
    `/api/sales/${saleId}/orders/orders`,
    `//api/sales/${saleId}/orders`,
    `/api//sales/${saleId}/orders`,
    `/api/sales/${saleId}/./orders`,
    `/api/sales/x/../${saleId}/orders`,
    `/api/sales/%70hone-42/orders`,
    `/api/sales/phone%2d42/orders`,
    `/api/sales/..%2fcontrol/orders`,
    `/api/sales/${saleId}%00/orders`,
    `/api/sales/${saleId}\n/orders`,
    `/API/sales/${saleId}/orders`,
    `/api/sales/PHONE-42/orders`,
    `/api/sales/${saleId};x=1/orders`,
    `/api/sales/{${saleId}}/orders`,
    '/api/orders/',
    '/api/orders/1',
    '/api/orders/..',
    `/api/orders/${orderId}/`,
    `/api/orders/${orderId.toUpperCase()}`,
    `/api/orders/%2e%2e/${orderId}`,
    '/api/control',
    '/api/control/',
    '/api/control//sales',
    '/api/control/.',
    '/api/control/sales/..',
    '/api/control/sales/../../orders',
    '/api/control/%73ales',
    '/api/controls/sales',
    '/api/Control/sales',
    '/api/time/',
    '/api/times',
  ])('finds nothing at %j (L6)', async (uri) => {
    for (const method of ['GET', 'POST']) {
      expect(await ask(method, uri)).toMatchObject({ status: 404, code: 'not-found' })
    }
  })

  it.each([
    ['GET', `/api/sales/${saleId}/orders`, 'POST'],
    ['OPTIONS', `/api/sales/${saleId}/orders`, 'POST'],
    ['post', `/api/sales/${saleId}/orders`, 'POST'],
    ['HEAD', '/api/orders', 'GET'],
    ['POST', '/api/orders', 'GET'],
    ['DELETE', `/api/orders/${orderId}`, 'GET'],
    ['HEAD', '/api/control/sales', 'GET, POST, PATCH, DELETE'],
    ['PUT', '/api/control/sales', 'GET, POST, PATCH, DELETE'],
    ['TRACE', '/api/control/sales', 'GET, POST, PATCH, DELETE'],
    ['POST', '/api/time', 'GET'],
  ])('refuses %s %s and names what it takes: %s', async (method, uri, allow) => {
    const refusal = await ask(method, uri)
    expect(refusal).toMatchObject({ status: 405, code: 'method-not-allowed' })
    expect(refusal.headers.allow).toBe(allow)
  })

  it('asks the store nothing for any of these (L6)', () => {
    expect(store.reads).toEqual([])
  })
})
