/** A whole system and a real browser for the tests of one file. */
import type { Browser } from '@playwright/test'
import { afterAll, inject } from 'vitest'
import type { Stack, StackOptions } from '../../local/stack.ts'
import { ownStack } from '../journey/own-stack.ts'
import { type Shop, shopAt } from '../journey/support.ts'
import { launchBrowser } from './browser.ts'
import { type SignedIn, shoppersOf } from './shopper.ts'
import { closePagesOfTests } from './visitor.ts'

/** For a file whose tests run concurrently, or visit a page one after the other: the test that opens a page closes it. */
type Pages = { keepsPages?: boolean }

/** The system shared by all files that do not break parts of it. Call it once per file, outside of its tests. */
export async function openShop({ keepsPages = false }: Pages = {}): Promise<{
  stack: Shop
  browser: Browser
  shopper: SignedIn
}> {
  const [stack, browser] = [shopAt(inject('shopUrl')), await openBrowser(keepsPages)]
  return { stack, browser, shopper: shoppersOf(browser, stack) }
}

/**
 * A system for one file, for tests that break parts of it or list all sales. Nothing runs by a schedule,
 * unless `options` say so. Call it once per file, outside of its tests.
 */
export async function openOwnShop({
  keepsPages = false,
  ...options
}: Pages & Pick<StackOptions, 'databases' | 'scheduled' | 'mail' | 'maxCopySeconds'> = {}): Promise<{
  stack: Stack
  browser: Browser
  shopper: SignedIn
}> {
  const [stack, browser] = await Promise.all([ownStack({ scheduled: false, ...options }), openBrowser(keepsPages)])
  return { stack, browser, shopper: shoppersOf(browser, stack) }
}

async function openBrowser(keepsPages: boolean): Promise<Browser> {
  const browser = await launchBrowser()
  afterAll(() => browser.close())
  if (!keepsPages) closePagesOfTests(browser)
  return browser
}
