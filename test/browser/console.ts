/** The console of someone who has signed in with some roles, and how they use it. */
import type { Browser, BrowserContextOptions, FrameLocator, Page } from '@playwright/test'
import type { Role } from '../../core/roles.ts'
import type { Shop } from '../journey/support.ts'
import { desktop } from './browser.ts'
import { newVisitor } from './visitor.ts'

export type ConsoleSession = { name: string; roles: Role[]; screen: BrowserContextOptions; locale?: string }

/** A marketer at a desktop who reads English. */
export const mia: ConsoleSession = { name: 'mia', roles: ['marketer'], screen: desktop }

/** A page without an address, of a visitor who has signed in. */
export async function signedIn(
  browser: Browser,
  stack: Shop,
  { name, roles, screen, locale = 'en-GB' }: ConsoleSession,
): Promise<Page> {
  const page = await newVisitor(browser, screen, { locale })
  const cookie = { url: stack.url, sameSite: 'Lax' as const }
  const token = await stack.token(name, { roles })
  await page.context().addCookies([
    { ...cookie, name: 'sluice_session', value: token, httpOnly: true },
    { ...cookie, name: 'sluice_who', value: name },
  ])
  return page
}

export async function consoleOf(browser: Browser, stack: Shop, path: string, session: ConsoleSession): Promise<Page> {
  const page = await signedIn(browser, stack, session)
  await page.goto(`${stack.url}/console/${path}`)
  return page
}

/** Goes to the next step of a new sale, which must have no error in this one. */
export async function nextStep(page: Page): Promise<void> {
  const shown = page.locator('.step:not([hidden])')
  const before = await shown.getAttribute('data-step')
  await page.click('#next')
  const arrived = page.locator(`.step:not([hidden]):not([data-step="${before}"])`).waitFor()
  await arrived.catch(async (error: unknown) => {
    const wrong = shown.locator('[aria-invalid=true]')
    const fields = await wrong.evaluateAll((found) => found.map(({ outerHTML }) => outerHTML))
    throw new Error(`the form stays at its step: ${fields.join(', ') || 'no field is wrong'}`, { cause: error })
  })
}

/** Adds the first picture of a new sale, by its address. */
export async function addPicture(page: Page): Promise<void> {
  await page.click('#picture-add')
  await enter(page, { 'pictures-0-src': '/assets/pictures/mug.svg', 'pictures-0-alt': 'The product' })
}

/** Saves a new sale from the step that is shown. */
export async function saveNewSale(page: Page): Promise<void> {
  while (!(await page.locator('#save').isVisible())) await nextStep(page)
  await page.click('#save')
}

/**
 * Holds calls of that method and path back. The answer lets them go on, and waits until the page has taken
 * the reply.
 */
export async function holdBack(page: Page, method: string, path: RegExp): Promise<() => Promise<void>> {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route(path, async (route) => {
    if (route.request().method() === method) await held
    await route.continue()
  })
  return async () => {
    const answered = page.waitForResponse(
      (response) => path.test(response.url()) && response.request().method() === method,
    )
    release()
    await (await answered).finished()
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

/** Opens what unfolds under that id, unless it is open. */
export async function unfold(page: Page, id: string): Promise<void> {
  const details = page.locator(`#${id}`)
  if ((await details.getAttribute('open')) === null) await details.locator('summary').first().click()
}

/** Fills in fields of a form, by their names. */
export async function enter(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [field, value] of Object.entries(values)) await page.fill(`#field-${field}`, value)
}

/** Chooses in the dialog that is open. */
export const choose = (page: Page, choice: string): Promise<void> => page.click(`[data-choice=${choice}]`)

/** Presses a button, and chooses in the dialog that it opens. */
export async function pressAndChoose(page: Page, button: string, choice: string): Promise<void> {
  await page.click(button)
  await choose(page, choice)
}

/** Presses Enter on the button, reads what is asked, steps back, and finds the focus on the button again. */
export async function askedBy(page: Page, button: string): Promise<string> {
  await page.locator(button).press('Enter')
  await page.locator('#confirm[open]').waitFor()
  const asked = (await page.locator('#confirm-text').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await page.locator(`${button}:focus:not([aria-disabled])`).waitFor()
  return asked
}

/** The preview of the page of the sale that is being written. */
export const previewIn = (page: Page): FrameLocator => page.frameLocator('#preview-frame')

/** The value of a `datetime-local` input, in the zone of this machine and so of its browser. */
export function localTime(epochMs: number): string {
  const at = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000)
  return at.toISOString().slice(0, 19)
}
