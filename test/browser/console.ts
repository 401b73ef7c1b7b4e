/** The console of someone who has signed in with some roles. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { Role } from '../../core/roles.ts'
import type { Shop } from '../journey/support.ts'
import { newVisitor } from './visitor.ts'

export type ConsoleSession = {
  name: string
  roles: Role[]
  screen: BrowserContextOptions
  locale?: string
}

export async function consoleOf(
  browser: Browser,
  stack: Shop,
  path: string,
  { name, roles, screen, locale = 'en-GB' }: ConsoleSession,
): Promise<Page> {
  const page = await newVisitor(browser, screen, { locale })
  const cookie = { url: stack.url, sameSite: 'Lax' as const }
  const token = await stack.token(name, { roles })
  await page.context().addCookies([
    { ...cookie, name: 'sluice_session', value: token, httpOnly: true },
    { ...cookie, name: 'sluice_who', value: name },
  ])
  await page.goto(`${stack.url}/console/${path}`)
  return page
}
