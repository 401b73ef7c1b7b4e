/**
 * One look at a page in the state that it is in: automated accessibility checks in light and dark, its
 * language, its width on a phone, and the name that shoppers must not read.
 */
import { source } from 'axe-core'
import type { Frame, Page } from '@playwright/test'
import { phone } from '../browser.ts'
import { picture } from '../visitor.ts'

/** No check can run in a frame without scripts. */
const withoutScripts = 'iframe[sandbox]:not([sandbox~="allow-scripts"])'

/** Rules about a whole page say nothing about a frame in it. */
const ofWholePages = ['bypass', 'landmark-one-main', 'page-has-heading-one', 'region']

/** The narrowest phone that the pages are made for, and a usual one; in CSS px. */
const widths = [320, phone.viewport?.width ?? 390]

type Check = { rule: string; html: string }

/** Each fault in one line. `lang` is the language that the page must have. */
export async function look(page: Page, state: string, lang: string): Promise<string[]> {
  const faults: string[] = []
  const say = (what: string, fault: string) => faults.push(`${state}, ${what}: ${fault}`)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await still(page)
    // The structure does not depend on the colours.
    const only = scheme === 'dark' ? ['color-contrast'] : undefined
    for (const { rule, html } of await checkFrames(page, only)) say(scheme, `${rule}: ${html}`)
    await picture(page, `${state}-${lang}-${scheme}`.replaceAll(/[^\w-]+/g, '-'))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const [shownLang, words] = await page.evaluate<[string, string]>(
    '[document.documentElement.lang, document.body.innerText]',
  )
  if (shownLang !== lang) say('language', shownLang)
  const name = /.*sluice.*/i.exec(words)
  if (name !== null) say('words', name[0])
  for (const fault of await tooWide(page)) say('width', fault)
  return faults
}

/** Resolves when nothing moves: a colour that fades in has less contrast than it will have. */
async function still(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
      .map(({ finished }) => finished))`)
}

async function checkFrames(page: Page, only: readonly string[] | undefined): Promise<Check[]> {
  const [main, ...others] = page.frames()
  const found = main === undefined ? [] : await check(main, { only, off: [] })
  for (const frame of others) {
    const hasScripts = await (await frame.frameElement()).evaluate(
      (element, selector) => !element.matches(selector),
      withoutScripts,
    )
    if (hasScripts) found.push(...(await check(frame, { only, off: ofWholePages })))
  }
  return found
}

/** The checks of `@axe-core/playwright`, without its page and its three rounds for each call. */
async function check(
  frame: Frame,
  { only, off }: { only: readonly string[] | undefined; off: readonly string[] },
): Promise<Check[]> {
  if (await frame.evaluate('window.axe === undefined')) await frame.evaluate(source)
  const options = {
    iframes: false,
    resultTypes: ['violations'],
    ...(only && { runOnly: only }),
    rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
  }
  return frame.evaluate<Check[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ rule: id, html }))))`)
}

/** What is wider than a phone. */
async function tooWide(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    const widest = await page.evaluate<string | null>(`(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return null
      const all = [...document.body.querySelectorAll('*')]
      const right = (element) => element.getBoundingClientRect().right
      const outside = all.filter((element) => right(element) > clientWidth)
      return scrollWidth + ' px: ' + (outside[0] ?? document.body).outerHTML.slice(0, 200)
    })()`)
    if (widest !== null) found.push(`on ${width} px it takes ${widest}`)
  }
  if (size !== null) await page.setViewportSize(size)
  return found
}
