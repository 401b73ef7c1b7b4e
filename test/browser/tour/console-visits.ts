/** How the tour opens the console, and goes from one of its views to another on one page. */
import type { Page } from '@playwright/test'
import { controlApi, type Live } from '../../../core/api/control-answers.ts'
import type { Role } from '../../../core/roles.ts'
import { desktop } from '../browser.ts'
import { signedIn } from '../console.ts'
import type { View } from './tour.ts'
import { change, type Tour } from './visits.ts'

/** The console of someone with that role, at a view. */
export async function consoleIn(
  { stack, browser }: Tour,
  { locale }: View,
  hash: string,
  role: Role | 'none' = 'marketer',
): Promise<Page> {
  const page = await signedIn(browser, stack, {
    ...{ name: `tour-${role}`, roles: role === 'none' ? [] : [role], locale },
    screen: { ...desktop, reducedMotion: 'reduce' },
  })
  await page.goto(`${stack.url}/console/${hash}`)
  return page
}

/** Goes to another view; what was entered in this one is discarded. */
export async function goTo(page: Page, hash: string): Promise<void> {
  const to = JSON.stringify(hash)
  await page.evaluate(`location.hash === ${to} ? dispatchEvent(new Event('hashchange')) : location.hash = ${to}`)
  await page.evaluate("document.querySelector('#confirm[open] [data-choice=discard]')?.click()")
}

/** The live numbers of every sale have these members from now on, and the page shows them. */
export async function showLive(page: Page, changed: (live: Live) => Partial<Live>, shown: string): Promise<void> {
  await change(page, /\/api\/control\/sales\/[^/]+\/live$/, controlApi.getLive, changed)
  await page.clock.fastForward(1000)
  await page.locator(shown).first().waitFor()
}
