/** A visitor with their own browser profile: how they sign in, and automated checks of what they see. */
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { clickIntervalMs } from '../../core/buy/limits.ts'
import { complaintsOf } from './browser.ts'

/** A fresh profile on the given screen, in English and without motion unless changed: drawing it costs time. */
export async function newVisitor(
  browser: Browser,
  screen: BrowserContextOptions,
  change: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...screen, ...change })
  // Generous, because the machine may be busy.
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

/** Pages that a test opens are closed at its end; earlier pages stay. */
export function closePagesOfTests(browser: Browser): void {
  let before: ReturnType<Browser['contexts']> = []
  beforeEach(() => {
    before = browser.contexts()
  })
  afterEach(async () => {
    const opened = browser.contexts().filter((context) => !before.includes(context))
    await Promise.all(opened.map((context) => context.close()))
  })
}

/** Installs a clock in the pages of the context of `page`; it runs from `time` on, and a test can move it. */
export async function installClock(page: Page, time = Date.now()): Promise<void> {
  await page.clock.install({ time })
  // Before its first reading, the installed clock has an origin of -1 ms, and a page would compute with that.
  await page.context().addInitScript(() => void Date.now())
}

/** Moves a clock that is installed in the page past the rest that follows a click (C7). */
export async function passRest(page: Page): Promise<void> {
  await page.clock.fastForward(clickIntervalMs)
}

/**
 * Stops a clock that is installed in the page: what the page does by itself after a while waits, however slow the machine
 * is, until the test moves the clock or lets it resume.
 */
export async function stopClock(page: Page): Promise<void> {
  const stop = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  // A clock that has passed that time meanwhile stops all the same, and the second call finds it where it stands.
  await stop().catch(stop)
}

/** Signs in through the page, as a person does, and lands on `path`. */
export async function signInThrough(page: Page, url: string, name: string, path: string): Promise<void> {
  // A link with a name shows the form, although another name is signed in.
  await openSignIn(page, `${url}/sign-in/?as=${encodeURIComponent(name)}&return=${encodeURIComponent(path)}`)
  await page.fill('#shopperId', name)
  await page.click('button[type=submit]')
  await arriveAt(page, url + path)
}

/** Opens the form of a sign-in. On a busy machine the shop may give up waiting for its issuer. */
export function openSignIn(page: Page, form: string): Promise<void> {
  return until(async () => (await page.goto(form))?.status() === 200, `${form} to answer`)
}

/** Resolves once a page on its way to or from the issuer is there. */
export function arriveAt(page: Page, address: string | RegExp): Promise<void> {
  const isThere = (url: string) => (typeof address === 'string' ? url === address : address.test(url))
  return tryAgainUntil(page, () => isThere(page.url()), `${address} to open`)
}

/**
 * Resolves once it is so of a page on its way to or from the issuer. On a busy machine the shop may give up waiting for the
 * issuer, and offers to try again.
 */
export function tryAgainUntil(page: Page, isSo: () => boolean, what: string): Promise<void> {
  const again = page.getByRole('link', { name: /^(Try again|重试)$/ })
  const tries = async () => {
    if (!isSo() && (await again.isVisible())) await again.click()
    return isSo()
  }
  return until(tries, what)
}

/** Tests that sign in may run concurrently, where the shared `expect` belongs to none of them. */
function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const look = async () => {
    if (!(await isSo())) throw new Error(`waited in vain for ${what}`)
  }
  return vi.waitFor(look, { timeout: 100_000 })
}

/** Resolves once the button of a sale page is enabled. */
export function waitUntilLit(page: Page): Promise<void> {
  return page.locator('#buy[aria-disabled="false"]').waitFor({ timeout: 60_000 })
}

/** In such a frame no check can run. */
const withoutScripts = 'iframe[sandbox]:not([sandbox~="allow-scripts"])'

/** Accessibility faults that an automated check can find. */
export async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).exclude(withoutScripts).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** Saves a screenshot if SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Expects no fault of what the page shows now, and saves a screenshot of it. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await picture(page, name)
  expect(await faultsOf(page)).toEqual([])
}

/** Expects, when the test ends, that the page has had nothing to complain of since now. */
export function expectNoComplaints(page: Page): void {
  const complaints = complaintsOf(page)
  onTestFinished(() => expect(complaints).toEqual([]))
}
