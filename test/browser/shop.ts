/** The whole system and a real browser, open while the tests of one file run. */
import type { Browser } from '@playwright/test'
import { afterAll } from 'vitest'
import { type Stack, startStack } from '../../local/stack.ts'
import { launchBrowser } from './browser.ts'

/** To be called once in a file, outside of its tests. */
export async function openShop(): Promise<{ stack: Stack; browser: Browser }> {
  const [stack, browser] = await Promise.all([startStack({ demo: false }), launchBrowser()])
  afterAll(async () => {
    await browser.close()
    await stack.stop()
  })
  return { stack, browser }
}
