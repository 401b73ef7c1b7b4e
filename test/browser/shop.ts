/** A whole system and a real browser for the tests of one file. */
import type { Browser } from '@playwright/test'
import { afterAll, inject } from 'vitest'
import type { Stack, StackOptions } from '../../local/stack.ts'
import { startDescribedStack } from '../described-stack.ts'
import { type Shop, shopAt } from '../journey/support.ts'
import { launchBrowser } from './browser.ts'
import { type SignedIn, shoppersOf } from './shopper.ts'

/** The system shared by all files that do not break parts of it. Call it once per file, outside of its tests. */
export async function openShop(): Promise<{ stack: Shop; browser: Browser; shopper: SignedIn }> {
  const [stack, browser] = [shopAt(inject('shopUrl')), await openBrowser()]
  return { stack, browser, shopper: shoppersOf(browser, stack) }
}

/**
 * A system for one file, for tests that break parts of it or list all sales. Nothing runs by a schedule,
 * unless `options` say so. Call it once per file, outside of its tests.
 */
export async function openOwnShop(
  options: Pick<StackOptions, 'databases' | 'scheduled' | 'mail'> = {},
): Promise<{ stack: Stack; browser: Browser; shopper: SignedIn }> {
  const [stack, browser] = await Promise.all([
    startDescribedStack({ scheduled: false, ...options, demo: false }),
    openBrowser(),
  ])
  afterAll(() => stack.stop())
  return { stack, browser, shopper: shoppersOf(browser, stack) }
}

async function openBrowser(): Promise<Browser> {
  const browser = await launchBrowser()
  afterAll(() => browser.close())
  return browser
}
