/** The pages that need no sale: the sign-in, and what a visitor reads where something is missing. */
import type { Page } from '@playwright/test'
import { renderUnsubscribe } from '../../../templates/pages/plain-page.ts'
import { openSignIn } from '../visitor.ts'
import { noisyState, type Place, place, state, type View } from './tour.ts'
import { type Tour, visit } from './visits.ts'

export function plainPlaces(tour: Tour): Place[] {
  const { stack } = tour
  const open = (view: View) => visit(tour, view)
  return [
    place('the sign-in', open, [
      // On a busy machine the shop may give up waiting for its issuer.
      noisyState('with a name that cannot be', /503/, async (page) => {
        await openSignIn(page, `${stack.url}/sign-in/?as=not%20a%20name&role=marketer`)
        await page.click('#sign-in')
        await page.locator('#shopperId-error:not(:empty)').waitFor()
      }),
      state('that could not be finished', (page) => page.goto(`${stack.url}/api/sign-in/callback?code=x&state=y`)),
    ]),
    place('the accessibility statement', open, [
      state('in a language', async (page) => {
        await page.goto(`${stack.url}/accessibility/`)
        // The script writes the date in the words of the reader.
        await page.locator('#assessed', { hasText: ' ' }).waitFor()
      }),
    ]),
    place('the description of the API', open, [
      state('found by a word', async (page) => {
        await page.goto(`${stack.url}/developers/`)
        await page.getByPlaceholder('Filter').fill('coupon')
        await page.getByText('Redeem a coupon', { exact: false }).first().waitFor()
      }),
      state('at a call, with its answers', async (page) => {
        await page.goto(`${stack.url}/developers/#/shopper/buy`)
        // A link within the page keeps the reader's search.
        await page.reload()
        await page.locator('#operations-shopper-buy .responses-table').waitFor()
      }),
    ]),
    place('the link of a shop for its customer', open, [
      state('that opens no session', async (page) => {
        await page.goto(`${stack.url}/customer/#return=%2Fwallet%2F`)
        await page.locator('#again').waitFor()
      }),
      state('that would take the place of another person', async (page) => {
        await answerCustomer(page, 409, 'conflict')
        const claims = Buffer.from('{"name":"Annabel Featherstonehaugh"}').toString('base64url')
        await page.goto(`${stack.url}/wallet/`)
        await page.context().addCookies([{ name: 'sluice_who', value: 'Ann', url: stack.url }])
        await page.goto(`${stack.url}/customer/#token=x.${claims}.x`)
        await page.locator('#continue').waitFor()
      }),
      noisyState('while the gate does not answer', /503/, async (page) => {
        await page.context().clearCookies()
        await answerCustomer(page, 503, 'unavailable')
        await page.goto(`${stack.url}/wallet/`)
        await page.goto(`${stack.url}/customer/#token=x`)
        await page.locator('#retry').waitFor()
      }),
    ]),
    place('a page without script', open, [
      state('at an unknown address', (page) => page.goto(`${stack.url}/sales/there-is-none/`)),
      state('about e-mails that stop', async (page) => {
        await page.route('**/api/unsubscribe?*', (route) => {
          const isChinese = route.request().headers()['accept-language']?.startsWith('zh')
          const body = renderUnsubscribe(isChinese ? 'zh-CN' : 'en')
          return route.fulfill({ body, contentType: 'text/html; charset=utf-8' })
        })
        await page.goto(`${stack.url}/api/unsubscribe?token=x`)
        await page.locator('form button').first().waitFor()
      }),
    ]),
  ]
}

/** Lets the gate refuse the session of a customer. */
async function answerCustomer(page: Page, status: number, code: string): Promise<void> {
  await page.unrouteAll()
  await page.route('**/api/sign-in/customer', (route) =>
    route.fulfill({ status, contentType: 'application/problem+json', json: { code, detail: '' } }),
  )
}
