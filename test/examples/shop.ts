/** The shop that sells on the sites of the examples. */
import { onTestFinished } from 'vitest'
import { control, type Shop } from '../journey/support.ts'

/** Registers an issuer of customers until the end of the test. */
export async function withIssuer(shop: Shop, name: string, issuer: string, jwks: object): Promise<void> {
  await control(shop, `/customer-issuers/${name}`, { issuer, jwks }, 'PUT')
  onTestFinished(async () => {
    await control(shop, `/customer-issuers/${name}`, undefined, 'DELETE')
  })
}

/** The sales of the written orders of a shopper. */
export async function ordersOf(shop: Shop, find: string): Promise<string[]> {
  const { orders } = await control<{ orders: { saleId: string }[] }>(shop, '/orders/find', { find })
  return orders.map(({ saleId }) => saleId)
}
