/** A shopper who has signed in, with a browser profile of their own, and what they do on the pages. */
import type { Browser, BrowserContextOptions, Locator, Page, Request } from '@playwright/test'
import { fetchPass } from '../../cli/control-client.ts'
import type { Shop } from '../journey/support.ts'
import { phone } from './browser.ts'
import { installClock, newVisitor, waitUntilLit } from './visitor.ts'

/** Screen, language and so on; the page has an installed clock, which runs. Default: a phone in English. */
type Profile = BrowserContextOptions & { device?: BrowserContextOptions }

export type SignedIn = (name: string, path: string, profile?: Profile) => Promise<Page>

/** Opens pages of shoppers with the cookies of a sign-in; `signInThrough` shows how they get them. */
export function shoppersOf(browser: Browser, shop: Shop): SignedIn {
  return async (name, path, { device = phone, ...change } = {}) => {
    const page = await newVisitor(browser, device, change)
    await installClock(page)
    const cookies = await sessionCookies(shop, name)
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: shop.url })))
    await page.goto(shop.url + path)
    return page
  }
}

/** The cookies that a sign-in sets. */
export async function sessionCookies(shop: Shop, name: string): Promise<{ name: string; value: string }[]> {
  const token = await shop.token(name)
  const pass = (await fetchPass(shop.url, token)) ?? ''
  const values = { sluice_session: token, sluice_who: name, sluice_pass: pass }
  return Object.entries(values).map(([key, value]) => ({ name: key, value }))
}

/** Presses the button of a sale as soon as it is enabled, and lands on the page of the order. */
export async function buyOn(page: Page): Promise<void> {
  await waitUntilLit(page)
  await page.click('#buy')
  await page.waitForURL(/\/orders\/\?id=/)
}

/** Resolves once the button of the sale is in that state. */
export const buttonIs = (page: Page, state: string) => page.locator(`#buy[data-state=${state}]`).waitFor()

/** Records the requests of the page to addresses with that ending, by which a shopper buys or claims. */
export function postsTo(page: Page, end: string): Request[] {
  const posts: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(end)) posts.push(request)
  })
  return posts
}

/** The order of the page. */
export const orderIdOf = (page: Page) => new URL(page.url()).searchParams.get('id') ?? ''

/** Resolves once the page of the order shows that status. */
export const showsStatus = (page: Page, status: string) => page.locator(`#order[data-status=${status}]`).waitFor()

/** Resolves once the element has such a text. */
export const says = (page: Page, selector: string, hasText: string | RegExp) =>
  page.locator(selector, { hasText }).waitFor()

/** Whether the page is wider than its screen. */
export const overflows = (page: Page): Promise<boolean> =>
  page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)

/**
 * Moves the installed clock of the page on, a minute at a time and ten at most, until `awaited` is there. The page
 * waits for events at the shop, which happen in real time.
 */
export async function fastForwardTo(awaited: Locator): Promise<void> {
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await awaited.page().clock.fastForward(60_000)
    if (await comesWithin(awaited, 2000)) return
  }
  await awaited.waitFor()
}

const comesWithin = (awaited: Locator, timeout: number) =>
  awaited.waitFor({ timeout }).then(
    () => true,
    () => false,
  )
