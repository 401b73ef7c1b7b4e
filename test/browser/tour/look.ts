/**
 * Looks at a page in the state that it is in: automated accessibility checks in light on a desktop and in
 * dark on a phone, its language, its width on phones, and the name that visitors must not read.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from '@playwright/test'
import { desktop, phone } from '../browser.ts'
import { picture } from '../visitor.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** No check can run in a frame without scripts. */
const framesWithScripts = 'iframe:not([sandbox]), iframe[sandbox~="allow-scripts"]'

/** Rules about a whole page say nothing about a frame in it. */
const ofWholePages = ['bypass', 'landmark-one-main', 'page-has-heading-one', 'region']

/** Rules whose result may be another one in other colours or on another screen. */
const ofTheScreen = ['color-contrast', 'scrollable-region-focusable']

type Screen = { width: number; height: number }
const [wide, usual] = [desktop.viewport, phone.viewport] as [Screen, Screen]
const narrowest: Screen = { width: 320, height: 640 }

/** All checks, each fault in one line. `lang` is the language that the page must have. */
export async function inspect(page: Page, state: string, lang: string): Promise<string[]> {
  const inLight = await faultsIn(page)
  await picture(page, fileName(state, lang, 'light'))
  await show(page, 'dark', usual)
  const inDark = await faultsIn(page, ofTheScreen)
  return [
    ...inLight.map((fault) => `${state}, in light: ${fault}`),
    ...inDark.map((fault) => `${state}, in dark on a phone: ${fault}`),
    ...(await read(page, state, lang)),
  ]
}

/** What may differ in another language. Afterwards the page is as wide and as light as before. */
export async function read(page: Page, state: string, lang: string): Promise<string[]> {
  const faults: string[] = []
  for (const screen of [usual, narrowest]) {
    await show(page, 'dark', screen)
    const outside = await tooWide(page)
    if (outside !== null)
      faults.push(`${state}, in ${lang} on ${screen.width} px: wider than that: ${outside}`)
    if (screen === usual) await picture(page, fileName(state, lang, 'dark'))
  }
  // The console, which only the people of the shop see, has the name at its top.
  const shown = await page.evaluate<{ lang: string; words: string }>(
    `({ lang: document.documentElement.lang, words: (document.querySelector('[data-page=console] main') ?? document.body).innerText })`,
  )
  if (shown.lang !== lang) faults.push(`${state}, in ${lang}: says that its language is “${shown.lang}”`)
  const [line] = /.*sluice.*/i.exec(shown.words) ?? []
  if (line !== undefined) faults.push(`${state}, in ${lang}: says “${line}”`)
  await show(page, 'light', wide)
  return faults
}

const fileName = (...parts: string[]) => parts.join('-').replaceAll(/[^\w-]+/g, '-')

async function show(page: Page, colorScheme: 'light' | 'dark', screen: Screen): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(screen)
}

/** The faults of the page and of the frames in it, by all rules or by some. */
async function faultsIn(page: Page, rules?: readonly string[]): Promise<string[]> {
  const faults = await faultsOf(page, rules ? { runOnly: rules } : {})
  for (const holder of await page.locator(framesWithScripts).elementHandles()) {
    const frame = await holder.contentFrame()
    const off = ofWholePages.map((rule) => [rule, { enabled: false }])
    const options = rules ? { runOnly: rules } : { rules: Object.fromEntries(off) }
    if (frame !== null) faults.push(...(await faultsOf(frame, options)))
  }
  return faults
}

/**
 * The same checks as those of `@axe-core/playwright`, which opens a page of its own for each call and takes
 * five times as long.
 */
async function faultsOf(frame: Page | Frame, options: object): Promise<string[]> {
  if (await frame.evaluate('window.axe === undefined')) await frame.evaluate(axe)
  const all = JSON.stringify({ iframes: false, preload: false, resultTypes: ['violations'], ...options })
  // A colour that fades in has less contrast than it will have.
  return frame.evaluate<string[]>(`(async () => {
    const ends = ({ effect }) => effect.getComputedTiming().endTime < Infinity
    await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished))
    const { violations } = await axe.run(document, ${all})
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))
  })()`)
}

/**
 * The first element that stands out of the page, where the page is wider than its screen. Its scripts learn of
 * another screen before the next frame is drawn.
 */
function tooWide(page: Page): Promise<string | null> {
  return page.evaluate(`(async () => {
    await new Promise(requestAnimationFrame)
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return null
    const all = [...document.body.querySelectorAll('*')]
    const outside = all.find((element) => element.getBoundingClientRect().right > clientWidth)
    return scrollWidth + ' px, ' + (outside ?? document.body).outerHTML.slice(0, 200)
  })()`)
}
