/** The pages that need no sale: the sign-in, and what a visitor reads where something is missing. */
import type { Page } from '@playwright/test'
import { renderUnsubscribe } from '../../../templates/pages/plain-page.ts'
import { openSignIn } from '../visitor.ts'
import { noisyState, type Place, place, state } from './tour.ts'
import { shows, type Tour, take, type View, visit } from './visits.ts'

export function plainPlaces(tour: Tour): Place[] {
  const { stack } = tour
  const open = (view: View) => visit(tour, view)
  return [
    place('the sign-in', open, [
      // On a busy machine the shop may give up waiting for its issuer.
      noisyState('with a name that cannot be', /503/, async (page) => {
        await openSignIn(page, `${stack.url}/sign-in/?as=not%20a%20name&role=marketer`)
        await take(page, { press: '#sign-in', shown: '#shopperId-error:not(:empty)' })
      }),
      state('that could not be finished', { at: '/api/sign-in/callback?code=x&state=y' }),
    ]),
    place('the accessibility statement', open, [
      // The script writes the date in the words of the reader.
      state('in a language', { at: '/accessibility/', shown: '#assessed:has-text(" ")' }),
    ]),
    place('the description of the API', open, [
      state('found by a word', async (page) => {
        await take(page, { at: '/developers/' })
        await page.getByPlaceholder('Filter').fill('coupon')
        await page.getByText('Redeem a coupon', { exact: false }).first().waitFor()
      }),
      state('at a call, with its answers', async (page) => {
        await take(page, { at: '/developers/#/shopper/buy' })
        // A link within the page keeps the reader's search.
        await page.reload()
        await shows(page, '#operations-shopper-buy .responses-table')
      }),
    ]),
    place('the link of a shop for its customer', open, [
      state('that opens no session', { at: '/customer/#return=%2Fwallet%2F', shown: '#again' }),
      state('that would take the place of another person', async (page) => {
        await answerCustomer(page, 409, 'conflict')
        const claims = Buffer.from('{"name":"Annabel Featherstonehaugh"}').toString('base64url')
        await take(page, { at: '/wallet/' })
        await page.context().addCookies([{ name: 'sluice_who', value: 'Ann', url: stack.url }])
        await take(page, { at: `/customer/#token=x.${claims}.x`, shown: '#continue' })
      }),
      noisyState('while the gate does not answer', /503/, async (page) => {
        await page.context().clearCookies()
        await answerCustomer(page, 503, 'unavailable')
        await take(page, { at: '/wallet/' })
        await take(page, { at: '/customer/#token=x', shown: '#retry' })
      }),
    ]),
    place('a page without script', open, [
      state('at an unknown address', { at: '/sales/there-is-none/' }),
      state('about emails that stop', async (page) => {
        await page.route('**/api/unsubscribe?*', (route) => {
          const isChinese = route.request().headers()['accept-language']?.startsWith('zh')
          const body = renderUnsubscribe(isChinese ? 'zh-CN' : 'en')
          return route.fulfill({ body, contentType: 'text/html; charset=utf-8' })
        })
        await take(page, { at: '/api/unsubscribe?token=x', shown: 'form button' })
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
