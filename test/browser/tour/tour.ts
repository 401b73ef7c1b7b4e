/**
 * A tour over the states of pages, in both languages. A state is reached by what a person does or by what
 * the shop answers; other tests cover what a page does there, and the tour covers how it looks.
 */
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assessedStates } from '../../recorded-assessment.ts'
import { complaintsOf } from '../browser.ts'
import { inspect, read, toPhone } from './look.ts'
import { closeDialog, type Steps, take, type View } from './visits.ts'

const english: View = { name: 'en', lang: 'en', locale: 'en-GB' }
const chinese: View = { name: 'zh', lang: 'zh-CN', locale: 'zh-CN' }

type Reach = (page: Page, view: View) => Promise<unknown>

type State = { name: string; reach: Reach | Steps; noise?: RegExp }

/** A dialog of the state before is closed first. */
export const state = (name: string, reach: Reach | Steps): State => ({ name, reach })

/** `noise` are errors that the browser logs because of an answer that this state needs. */
export const noisyState = (name: string, noise: RegExp, reach: Reach | Steps): State => ({ name, reach, noise })

type Open = (view: View) => Promise<Page>

/** States that share a page, in the order in which they are reached. */
export type Place = { name: string; isRedrawn?: true; open: Open; states: readonly State[] }

export const place = (name: string, open: Open, states: readonly State[]): Place => ({ name, open, states })

/** The page is drawn anew in another language and loses its state, which is then reached again. */
export const redrawnPlace = (name: string, open: Open, states: readonly State[]): Place => {
  return { ...place(name, open, states), isRedrawn: true }
}

const hint = 'after a change of the tour: npm test test/browser/tour -- --record-assessment'

/** Looks at every state of the places; those that are not redrawn are read in Chinese as well. */
export function tour(places: readonly Place[]): void {
  describe.each(places)('$name', (visited) => {
    let faults = 0
    visitIn(english, visited, async (page, state) => {
      const found = await inspect(page, state, english.lang, async () =>
        visited.isRedrawn ? [] : readTranslated(page, state),
      )
      faults += found.length
      return found
    })

    it('is in the accessibility statement', () => {
      const { name, states } = visited
      expect(assessedStates({ name, states: states.length, faults }), hint).toBe(states.length)
    })
  })
}

/** Reads the states of the places that are redrawn in Chinese, on a phone. */
export function tourInChinese(places: readonly Place[]): void {
  describe.each(places.filter(({ isRedrawn }) => isRedrawn))('$name', (visited) => {
    visitIn(chinese, visited, (page, state) => read(page, state, chinese.lang))
  })
}

function visitIn(
  view: View,
  { name: place, open, states }: Place,
  faultsIn: (page: Page, state: string) => Promise<string[]>,
): void {
  describe(`in ${view.lang}`, () => {
    let page: Page
    let complaints: string[]
    beforeAll(async () => {
      page = await open(view)
      if (view === chinese) await toPhone(page)
      complaints = complaintsOf(page)
    })
    afterAll(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().close()
    })

    it.each(states)('$name', async ({ name, reach, noise }) => {
      await closeDialog(page)
      await (typeof reach === 'function' ? reach(page, view) : take(page, reach))
      const state = `${place}, ${name}`
      const faults = await faultsIn(page, state)
      const logged = complaints.splice(0).filter((line) => noise?.test(line) !== true)
      expect([...faults, ...logged.map((line) => `${state}, logged: ${line}`)]).toEqual([])
    })
  })
}

/** A page without the switch follows the browser alone. */
async function readTranslated(page: Page, state: string): Promise<string[]> {
  const isSwitched = await page.evaluate('!!document.querySelector("#language")')
  if (isSwitched !== true) return []
  /** The words of the other language may be a file. */
  const press = async ({ lang }: View) => {
    await page.evaluate(`(() => {
      const choice = document.querySelector('#language')
      if (choice.tagName === 'BUTTON') return choice.click()
      choice.value = '${lang}'
      choice.dispatchEvent(new Event('change'))
    })()`)
    await page.locator(`html[lang=${lang}]`).waitFor()
  }
  await press(chinese)
  const faults = await read(page, state, chinese.lang)
  await press(english)
  return faults
}
