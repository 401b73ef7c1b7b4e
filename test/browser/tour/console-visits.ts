/** How the tour opens the console, and what the live numbers of a sale are there. */
import type { Page } from '@playwright/test'
import { controlApi, type Live } from '../../../core/api/control-answers.ts'
import type { Role } from '../../../core/roles.ts'
import { desktop } from '../browser.ts'
import { signedIn } from '../console.ts'
import { change, shows, type Tour, type View } from './visits.ts'

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

/** The live numbers of every sale have these members from now on, and the page shows them. */
export async function showLive(page: Page, changed: (live: Live) => Partial<Live>, shown: string): Promise<void> {
  await change(page, /\/api\/control\/sales\/[^/]+\/live$/, controlApi.getLive, changed)
  await page.clock.fastForward(1000)
  await shows(page, shown)
}
