/**
 * How the tour opens pages, and how it makes them show a state: by the answers that the shop would give. The newest
 * answer for a path counts; the older ones stay, because a request may still be on its way to them.
 */
import type { Browser, Page } from '@playwright/test'
import { inject } from 'vitest'
import { type AnswerOf, type Operation, readAnswer } from '../../../core/api/operation.ts'
import { type ProblemCode, type ProblemFacts, problem } from '../../../core/outcome.ts'
import type { Pointer } from '../../../core/sale/pointer.ts'
import { eventually, type Shop } from '../../journey/support.ts'
import { desktop } from '../browser.ts'
import { enter, unfold } from '../console.ts'
import { newVisitor } from '../visitor.ts'

/** The language that a visitor prefers; `name` is part of the names of their sales and shoppers. */
export type View = { name: 'en' | 'zh'; lang: 'en' | 'zh-CN'; locale: string }

export type Tour = { stack: Shop; browser: Browser }

/** A page of a guest, or of the shopper with that name. */
export async function visit({ stack, browser }: Tour, { locale }: View, name?: string): Promise<Page> {
  const page = await newVisitor(browser, { ...desktop, reducedMotion: 'reduce' }, { locale })
  if (name === undefined) return page
  const cookies = { sluice_session: await stack.token(name), sluice_who: name }
  await page.context().addCookies(Object.entries(cookies).map(([key, value]) => ({ name: key, value, url: stack.url })))
  return page
}

/** From now on requests for that path get this answer. */
export async function answer(page: Page, path: string | RegExp, json: unknown, status = 200): Promise<void> {
  await page.route(path, (route) => route.fulfill({ json, status }))
}

/** From now on requests for that path are refused. */
export function refuse(page: Page, path: string | RegExp, code: ProblemCode, facts: ProblemFacts = {}): Promise<void> {
  const document = problem(code, 'As the tour wants it.', facts)
  return answer(page, path, document, document.status)
}

/** From now on the answers of that path are changed, to answers that the operation may have. */
export async function change<O extends Operation>(
  page: Page,
  path: string | RegExp,
  operation: O,
  changed: (answer: AnswerOf<O>) => Partial<AnswerOf<O>>,
): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    const before = read(operation, await response.json())
    await route.fulfill({ response, json: read(operation, Object.assign({}, before, changed(before))) })
  })
}

function read<O extends Operation>(operation: O, body: unknown): AnswerOf<O> {
  const answer = readAnswer(operation, body)
  if (!answer.ok) throw new Error(`${operation.path} does not answer so: ${answer.detail}`)
  return answer.value
}

/** How a state is reached: what is done, in the order of these members, and the element that shows it. */
export type Steps = {
  /** From now on the requests for a path get an answer, or are refused. */
  answer?: readonly [path: string | RegExp, json: unknown]
  refuse?: readonly [path: string | RegExp, code: ProblemCode, facts?: ProblemFacts]
  /** A view of the console, or the path of a page. */
  at?: string
  /** The id of what unfolds. */
  unfold?: string
  /** The values of fields of the console, by their names. */
  fill?: Readonly<Record<string, string>>
  press?: string | readonly string[]
  /** After a press a question, if nothing is said. */
  shown?: string
}

export async function take(page: Page, steps: Steps): Promise<void> {
  if (steps.answer) await answer(page, ...steps.answer)
  if (steps.refuse) await refuse(page, ...steps.refuse)
  if (steps.at?.startsWith('#')) await goTo(page, steps.at)
  else if (steps.at !== undefined) await page.goto(new URL(steps.at, inject('shopUrl')).href)
  if (steps.unfold !== undefined) await unfold(page, steps.unfold)
  await enter(page, steps.fill ?? {})
  for (const selector of [steps.press ?? []].flat()) await page.click(selector)
  const shown = steps.shown ?? (steps.press && '#confirm[open]')
  if (shown !== undefined) await shows(page, shown)
}

/** Resolves once the page shows such an element. */
export const shows = (page: Page, selector: string): Promise<void> => page.locator(selector).first().waitFor()

/** Goes to another view of the console; what was entered in this one is discarded. */
export async function goTo(page: Page, hash: string): Promise<void> {
  const to = JSON.stringify(hash)
  await page.evaluate(`location.hash === ${to} ? dispatchEvent(new Event('hashchange')) : location.hash = ${to}`)
  await page.evaluate("document.querySelector('#confirm[open] [data-choice=discard]')?.click()")
}

export async function closeDialog(page: Page): Promise<void> {
  if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
}

const pointer = '**/current.json'

/** The shop has published this of the sale, and its page shows it. */
export async function publish(page: Page, changed: Partial<Pointer>, shown: string): Promise<void> {
  await page.route(pointer, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...changed } })
  })
  await lookUntil(page, shown)
}

/** The page of the sale looks at what the shop has published until it shows that. */
export function lookUntil(page: Page, shown: string): Promise<void> {
  // A page that comes back to the network looks at once.
  return repeatUntil(page, shown, () => page.evaluate("dispatchEvent(new Event('online'))"))
}

/** Lets the page's time pass, a second at a time, until it shows that. */
export function passUntil(page: Page, shown: string): Promise<void> {
  return repeatUntil(page, shown, () => page.clock.fastForward(1000))
}

async function repeatUntil(page: Page, shown: string, act: () => Promise<unknown>): Promise<void> {
  await eventually(async () => {
    await act()
    return (await page.locator(shown).count()) > 0 ? true : undefined
  })
}
