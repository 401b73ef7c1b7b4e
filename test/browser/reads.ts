/** Reads a page again until it shows the expected value: a reply may still be in flight. */
import type { FrameLocator, Page } from '@playwright/test'
import { expect } from 'vitest'

/** Expects something of what `read` returns, now or soon; tests that run concurrently pass their own `expect`. */
export const soon = <T>(read: () => T | Promise<T>, own: Pick<typeof expect, 'poll'> = expect) => own.poll(read)

/** Expects something of the text of an element, now or soon. */
export const textOf = (page: Page | FrameLocator, selector: string) => soon(() => page.locator(selector).textContent())

/** Expects something of what a field holds, now or soon. */
export const inputOf = (page: Page, selector: string) => soon(() => page.inputValue(selector))

/** To the other of English and Chinese: a press of the button, or in the list where there are more languages. */
export async function switchLanguage(page: Page): Promise<void> {
  const choice = page.locator('#language')
  if ((await choice.evaluate((element) => element.tagName)) === 'BUTTON') return choice.click()
  const isEnglish = (await choice.inputValue()) === 'en'
  await choice.selectOption(isEnglish ? 'zh-CN' : 'en')
}

/**
 * When the page sent each request that the shop holds, ms after its own start. Events reach this process late on a busy
 * machine, so the page's own times count.
 */
const startsOfHeldReads = (page: Page) =>
  page.evaluate<number[]>(
    "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/changes')).map(({ startTime }) => startTime)",
  )

/** Expects some of them, and not more than one in five seconds, which a timer may undercut a little. */
export async function asksOnceInFive(page: Page): Promise<void> {
  const starts = await startsOfHeldReads(page)
  expect(starts).not.toEqual([])
  for (const [n, start] of starts.slice(1).entries()) expect(start - (starts[n] ?? 0)).toBeGreaterThan(4500)
}
