/** The pages that need no sale: the sign-in, and what a visitor reads where something is missing. */
import { renderUnsubscribe } from '../../../static/pages/unsubscribe.ts'
import type { Place, View } from './tour.ts'
import { type Tour, visit } from './visits.ts'

export function plainPlaces(tour: Tour): Place[] {
  const { stack } = tour
  const open = (view: View) => visit(tour, view)
  return [
    {
      name: 'the sign-in',
      open,
      states: [
        {
          name: 'with a name that cannot be',
          async reach(page) {
            await page.goto(`${stack.url}/sign-in/?as=not%20a%20name&role=marketer`)
            await page.click('#sign-in')
            await page.locator('#shopperId-error:not(:empty)').waitFor()
          },
        },
        {
          name: 'that could not be finished',
          reach: (page) => page.goto(`${stack.url}/api/sign-in/callback?code=x&state=y`),
        },
      ],
    },
    {
      name: 'the description of the API',
      open,
      states: [
        { name: 'closed', reach: (page) => page.goto(`${stack.url}/developers/`) },
        {
          name: 'at a call, with its answers',
          async reach(page) {
            await page.goto(`${stack.url}/developers/#buy`)
            await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
            await page.locator('article pre').last().waitFor()
          },
        },
      ],
    },
    {
      name: 'a page without script, in both languages',
      open,
      states: [
        { name: 'at an unknown address', reach: (page) => page.goto(`${stack.url}/sales/there-is-none/`) },
        {
          name: 'about e-mails that stop',
          async reach(page) {
            await page.route('**/api/unsubscribe?*', (route) =>
              route.fulfill({ body: renderUnsubscribe(), contentType: 'text/html; charset=utf-8' }),
            )
            await page.goto(`${stack.url}/api/unsubscribe?token=x`)
            await page.locator('form button').first().waitFor()
          },
        },
      ],
    },
  ]
}
