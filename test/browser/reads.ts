/** What a page shows, read again until it is as expected: a reply may still be on its way. */
import type { FrameLocator, Page } from '@playwright/test'
import { expect } from 'vitest'

/** Expects something of what `read` returns, now or soon; tests that run concurrently pass their own `expect`. */
export const soon = <T>(read: () => T | Promise<T>, own: Pick<typeof expect, 'poll'> = expect) =>
  own.poll(read)

/** Expects something of the text of an element, now or soon. */
export const textOf = (page: Page | FrameLocator, selector: string) =>
  soon(() => page.locator(selector).textContent())

/** Expects something of what a field holds, now or soon. */
export const inputOf = (page: Page, selector: string) => soon(() => page.inputValue(selector))

/** To the other of English and Chinese: a press of the button, or in the list where there are more languages. */
export async function switchLanguage(page: Page): Promise<void> {
  const choice = page.locator('#language')
  if ((await choice.evaluate((element) => element.tagName)) === 'BUTTON') return choice.click()
  const isEnglish = (await choice.inputValue()) === 'en'
  await choice.selectOption(isEnglish ? 'zh-CN' : 'en')
}
