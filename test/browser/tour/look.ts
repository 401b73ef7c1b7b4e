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
const ofWholePages = ['bypass', 'landmark-one-main', 'page-has-heading-one', 'region', 'skip-link']

/** Rules that compare parts of a document with each other, so one part alone says nothing. */
const ofWholeDocuments = [
  'accesskeys',
  'document-title',
  'duplicate-id-aria',
  'heading-order',
  'html-has-lang',
  'html-lang-valid',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-unique',
  'meta-viewport',
]

/** Rules whose result may be another one in other colours, in larger text or on another screen. */
const ofTheScreen = ['color-contrast', 'scrollable-region-focusable']

type Screen = { width: number; height: number }
const [wide, usual] = [desktop.viewport, phone.viewport] as [Screen, Screen]
const narrowest: Screen = { width: 320, height: 640 }

/**
 * Every fault in one line: of all rules in light, of those of the screen in dark on phones and in high contrast, and what is lost
 * on the narrowest phones and in text of twice the size (WCAG 2.2, 1.4.4 and 1.4.10). `others` is called on a phone, where the
 * page may be checked in another way.
 */
export async function inspect(
  page: Page,
  state: string,
  lang: string,
  others: () => Promise<string[]>,
): Promise<string[]> {
  const inLight = await faultsIn(page)
  await picture(page, fileName(state, lang, 'light'))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(usual)
  const inDark = await faultsIn(page, ofTheScreen)
  const faults = [
    ...inLight.map((fault) => `${state}, in light: ${fault}`),
    ...inDark.map((fault) => `${state}, in dark on a phone: ${fault}`),
    ...(await read(page, state, lang)),
    ...(await others()),
  ]
  await page.setViewportSize(narrowest)
  faults.push(...(await read(page, state, lang)))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
  return [...faults, ...(await faultsAsSet(page, state, lang))]
}

/** Faults when the reader's device sets the colours, or the size of the text. */
async function faultsAsSet(page: Page, state: string, lang: string): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  // No rule about colours is asked: scripts still read those that the page would have.
  const inContrast = lostIn(await readingOf(page))
  await picture(page, fileName(state, lang, 'contrast'))
  await page.emulateMedia({ forcedColors: 'none' })
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  const inLarge = lostIn(await readingOf(page))
  await picture(page, fileName(state, lang, 'large'))
  await page.evaluate("document.documentElement.style.fontSize = ''")
  return [
    ...inContrast.map((fault) => `${state}, in high contrast: ${fault}`),
    ...inLarge.map((fault) => `${state}, in text of 200 %: ${fault}`),
  ]
}

/** Turns the page into one in dark on a phone. */
export async function toPhone(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(usual)
}

/** Checks that may differ in another language or on another phone: the language, the words, and the width. */
export async function read(page: Page, state: string, lang: string): Promise<string[]> {
  const reading = await readingOf(page)
  const { width, shownLang, words } = reading
  if (width === usual.width) await picture(page, fileName(state, lang, 'dark'))
  // Names of headers, cookies and problems are no words of a page.
  const [name] = /.*(?<![:-])\bsluice\b(?![:-]).*/i.exec(words) ?? []
  const faults = [
    ...lostIn(reading),
    ...(shownLang === lang ? [] : [`says that its language is “${shownLang}”`]),
    ...(name === undefined ? [] : [`says “${name}”`]),
  ]
  return faults.map((fault) => `${state}, in ${lang}: ${fault}`)
}

const lostIn = ({ width, outside, cut, fixed }: Reading): string[] => [
  ...(outside === null ? [] : [`wider than its ${width} px: ${outside}`]),
  ...(cut === null ? [] : [`cuts off ${cut}`]),
  ...(fixed === null ? [] : [`keeps its own colours in high contrast: ${fixed}`]),
]

const fileName = (...parts: string[]) => parts.join('-').replaceAll(/[^\w-]+/g, '-')

type Reading = Record<'outside' | 'cut' | 'fixed', string | null> & { width: number; shownLang: string; words: string }

/** A chart follows the width of its place some frames later, so a page that is too wide is read again. */
async function readingOf(page: Page, tries = 10): Promise<Reading> {
  const read = await page.evaluate<Reading>(reading)
  return read.outside === null || tries === 1 ? read : readingOf(page, tries - 1)
}

/**
 * The scripts of a page learn of another screen before the next frame is drawn. Words and controls beyond the
 * right edge are a fault also where a part of the page cuts them off instead of making it wider, unless that part
 * can be scrolled. So is a text that its own element cuts off, unless it is for screen readers alone or the visitor's own
 * name. The console, which only the people of the shop see, has the name at its top.
 */
const reading = `(async () => {
  await new Promise(requestAnimationFrame)
  const { scrollWidth, clientWidth, lang } = document.documentElement
  const isOutside = (element) => element.getBoundingClientRect().right > clientWidth + 1
  const hasText = (element) =>
    [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '')
  const isUsed = (element) => element.matches('a, button, input, select, textarea') || hasText(element)
  const isScrolled = ({ parentElement }) =>
    parentElement !== null &&
    (/auto|scroll/.test(getComputedStyle(parentElement).overflowX) || isScrolled(parentElement))
  const all = [...document.body.querySelectorAll('*')]
  const beyond = all.filter((element) => isOutside(element) && !isScrolled(element))
  const cutOff = beyond.find(isUsed)
  const isCut = (element) => {
    const { overflowX, overflowY, clipPath } = getComputedStyle(element)
    const hides = (way) => way === 'hidden' || way === 'clip'
    if (clipPath !== 'none' || element.id === 'who' || !hasText(element)) return false
    const isWider = hides(overflowX) && element.scrollWidth > element.clientWidth + 1
    return isWider || (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
  }
  const cut = all.find(isCut)
  const isFixed = (element) => hasText(element) && getComputedStyle(element).forcedColorAdjust === 'none'
  const fixed = matchMedia('(forced-colors: active)').matches ? all.find(isFixed) : undefined
  const widest = scrollWidth > clientWidth ? (beyond[0] ?? document.body) : cutOff
  return {
    width: clientWidth,
    outside: widest === undefined ? null : scrollWidth + ' px, ' + widest.outerHTML.slice(0, 200),
    cut: cut === undefined ? null : cut.outerHTML.slice(0, 200),
    fixed: fixed === undefined ? null : fixed.outerHTML.slice(0, 200),
    shownLang: lang,
    words: (document.querySelector('[data-page=console] main') ?? document.body).innerText,
  }
})()`

/** The faults of the page and of the frames in it, by all rules or by some. */
export async function faultsIn(page: Page, rules?: readonly string[]): Promise<string[]> {
  const faults = await faultsOf(page, [...ofWholePages, ...ofWholeDocuments], rules)
  for (const holder of await page.locator(framesWithScripts).elementHandles()) {
    const frame = await holder.contentFrame()
    if (frame !== null) faults.push(...(await faultsOf(frame, ofWholeDocuments, rules)))
  }
  return faults
}

/**
 * These are the checks of `@axe-core/playwright`, which opens a page for each call and takes five times as long. A part
 * that a former state of the page had in the same place is not checked again by the rules
 * about parts, which are most of the work; `wholeRules` look at all of the document.
 */
async function faultsOf(
  frame: Page | Frame,
  wholeRules: readonly string[],
  rules?: readonly string[],
): Promise<string[]> {
  if (await frame.evaluate('window.axe === undefined')) await frame.evaluate(axe)
  const off = [...ofWholePages, ...ofWholeDocuments].map((rule) => [rule, { enabled: false }])
  const ofParts = rules ? { runOnly: rules } : { rules: Object.fromEntries(off) }
  const ofWhole = rules ? undefined : { runOnly: wholeRules }
  return frame.evaluate<string[]>(`(${looking})(${JSON.stringify({ ofParts, ofWhole })})`)
}

const looking = `async ({ ofParts, ofWhole }) => {
  // A colour that fades in has less contrast than it will have.
  const ends = ({ effect }) => effect.getComputedTiming().endTime < Infinity
  await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished))
  // Content below a dialog was checked before.
  const root = document.querySelector('dialog[open]') ?? document.documentElement
  const inDark = matchMedia('(prefers-color-scheme: dark)').matches
  const known = ((window.checkedContent ??= {})[[inDark, innerWidth]] ??= new Set())
  const [found, skipped] = [[], []]
  const list = (element, above) => {
    const attributes = [...element.attributes].map(({ name, value }) => name + '=' + value)
    const place = [above, element.tagName, ...attributes].join(' ')
    const part = place + ' ' + element.innerHTML
    if (known.has(part)) return skipped.push(element)
    found.push(part)
    for (const child of element.children) list(child, place)
  }
  list(root, '')
  const common = { iframes: false, preload: false, resultTypes: ['violations'] }
  const results = []
  if (found.length > 0) results.push(await axe.run({ include: [root], exclude: skipped }, { ...common, ...ofParts }))
  if (ofWhole) results.push(await axe.run(root, { ...common, ...ofWhole }))
  const violations = results.flatMap((result) => result.violations)
  if (violations.length === 0) for (const part of found) known.add(part)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))
}`
