/**
 * A tour over the states of pages, in both languages. A state is reached by what a person does or by what
 * the shop answers; other tests cover what it does, and the tour covers how it looks.
 */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complaintsOf, desktop, phone } from '../browser.ts'
import { look } from './look.ts'

/** How a visitor looks at all pages; `name` is part of the names of their sales and shoppers. */
export type View = {
  name: 'en' | 'zh'
  lang: 'en' | 'zh-CN'
  locale: string
  screen: BrowserContextOptions
}

const reducedMotion = 'reduce' as const

const views: readonly View[] = [
  { name: 'en', lang: 'en', locale: 'en-GB', screen: { ...desktop, reducedMotion } },
  { name: 'zh', lang: 'zh-CN', locale: 'zh-CN', screen: { ...phone, reducedMotion } },
]

/** `noise` are errors that the browser logs for an answer that this state needs. */
type State = { name: string; reach(page: Page, view: View): Promise<unknown>; noise?: RegExp; lang?: string }

/** States that share a page, in the order in which they are reached. */
export type Place = { name: string; open(view: View): Promise<Page>; states: readonly State[] }

/** Looks at every state of the places in each view. */
export function tour(places: readonly Place[]): void {
  describe.each(views)('in $lang', (view) => {
    describe.each(places)('$name', ({ open, states, name: place }) => {
      let page: Page
      let complaints: string[]
      beforeAll(async () => {
        page = await open(view)
        complaints = complaintsOf(page)
      })
      afterAll(async () => {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.context().close()
      })

      it.each(states)('$name', async ({ name, reach, noise, lang = view.lang }) => {
        await reach(page, view)
        const faults = await look(page, `${place}, ${name}`, lang)
        const heard = complaints.splice(0).filter((line) => noise?.test(line) !== true)
        expect([...faults, ...heard.map((line) => `${place}, ${name}, console: ${line}`)]).toEqual([])
      })
    })
  })
}
