/** A shopper before a purchase, one with a new order, and the form of its address. */
import type { Page } from '@playwright/test'
import { openSale, placeOrder, type Shop } from '../journey/support.ts'
import { type SignedIn, showsStatus } from './shopper.ts'
import { waitUntilLit } from './visitor.ts'

/** Opens the page of a new order, which is written and waits for its money, of a new sale. */
export function buyersOf(stack: Shop, shopper: SignedIn) {
  return async (name: string, change: Record<string, unknown>, profile?: Parameters<SignedIn>[2]) => {
    const { saleId, orderId } = await placeOrder(stack, name, { stock: 1, ...change })
    const page = await shopper(name, `/orders/?id=${orderId}`, profile)
    await showsStatus(page, 'awaiting-payment')
    return { page, saleId }
  }
}

/** Opens the page of a new sale for a shopper, whose button is enabled. */
export function shoppersOfSales(stack: Shop, shopper: SignedIn) {
  return async (name: string, change?: Record<string, unknown>, locale = 'en-GB') => {
    const { saleId, startToken } = await openSale(stack, change)
    const page = await shopper(name, `/sales/${saleId}/`, { locale })
    await waitUntilLit(page)
    return { page, saleId, startToken, path: `/sales/${saleId}/` }
  }
}

export const delivery = { countries: ['CN', 'DE', 'US', 'GB', 'JP'] }

export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.fill(`#address [name="${name}"]`, value)
}

export const namesOf = (page: Page) =>
  page.locator('#address [name]').evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))
export const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

export const berlin = {
  name: 'Ann Schäfer',
  'addressLines.0': 'Torstraße 1',
  postalCode: '10119',
  locality: 'Berlin',
  phone: '030 80615040',
  email: 'ann@example.com',
}
