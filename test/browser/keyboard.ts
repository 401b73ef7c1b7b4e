/**
 * A page that is used by keyboard alone. Each stop of the focus must be seen, and no key may lose the focus; what was
 * wrong is in `faults`.
 */
import type { Page } from '@playwright/test'

/** More stops than any page has. */
const maxStops = 150

/** Ends the wait for a focus that does not come, ms. */
const patienceMs = 30_000

/** Where the focus is: the element as a reader of a fault knows it, and what is wrong with it. */
type Stop = { at: string; isWanted: boolean; wrong: string }

type Step = 'Tab' | 'Shift+Tab' | 'ArrowDown'

export type Keyboard = ReturnType<typeof keyboardOf>

export function keyboardOf(page: Page) {
  const faults: string[] = []
  const { keyboard } = page

  const look = (selector: string) => page.evaluate<Stop>(`(${looking})(${JSON.stringify(selector)})`)

  /** Presses the key until the focus is on such an element. */
  async function goTo(selector: string, key: Step = 'Tab'): Promise<void> {
    await page.locator(selector).first().waitFor()
    const passed: string[] = []
    for (let stops = 0; stops < maxStops; stops += 1) {
      const { at, isWanted, wrong } = await look(selector)
      if (wrong !== '') faults.push(`${at}: ${wrong}`)
      if (isWanted) return
      passed.push(at)
      await keyboard.press(key)
    }
    throw new Error(`${key} does not reach ${selector}, but ${passed.slice(-12).join(' → ')}`)
  }

  /** The focus is somewhere on the page, once what the key has done is drawn. */
  async function keepsFocus(after: string): Promise<void> {
    const deadline = Date.now() + patienceMs
    while (Date.now() < deadline) {
      if ((await look('body')).isWanted === false) return
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    faults.push(`${after} loses the focus`)
  }

  return {
    faults,
    goTo,
    keepsFocus,
    /** Goes to what is pressed, and presses it. */
    async press(selector: string, key: 'Enter' | 'Space' = 'Enter', by?: Step): Promise<void> {
      await goTo(selector, by)
      await keyboard.press(key)
    },
    /** Goes to a list of choices, and down it to that value. */
    async choose(selector: string, value: string): Promise<void> {
      await goTo(selector)
      for (let steps = 0; steps < 20; steps += 1) {
        if ((await page.locator(selector).inputValue()) === value) return
        await keyboard.press('ArrowDown')
        await keepsFocus(selector)
        if (!(await look(selector)).isWanted) faults.push(`${selector} loses the focus to another element`)
      }
      throw new Error(`${selector} has no ${value}`)
    },
    /** Goes to a field, and replaces what is in it. */
    async type(selector: string, text: string): Promise<void> {
      await goTo(selector)
      await keyboard.press('Control+A')
      await keyboard.type(text)
    },
    /** Agrees to what the dialog asks; the focus is on the way back first. */
    async agree(choice: string): Promise<void> {
      await page.locator('#confirm[open]').waitFor()
      await goTo(`[data-choice=${choice}]`)
      await keyboard.press('Enter')
    },
  }
}

/** A radio that is drawn by its label shows the focus there. */
const looking = `(selector) => {
  const element = document.activeElement ?? document.body
  const name = element.id ? '#' + element.id : element.outerHTML.slice(0, 90)
  const isWanted = element.matches(selector)
  if (element === document.body || element === document.documentElement) return { at: 'body', isWanted, wrong: '' }
  const { x, y, width, height } = element.getBoundingClientRect()
  const shows = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  const near = [element, element.closest('label'), element.nextElementSibling, element.parentElement]
  const isSeen = near.some((one) => one && shows(one))
  const isFrame = element.matches('iframe')
  const places = [[x + width / 2, y + height / 2], [x + 4, y + 4], [x + width - 4, y + height - 4]]
  const isCovered = !places.some(([left, top]) => {
    const above = document.elementFromPoint(left, top)
    return above && (element.contains(above) || above.contains(element) || element.closest('label')?.contains(above) || element.nextElementSibling?.contains(above))
  })
  const wrong = [
    ...(isSeen || isFrame ? [] : ['shows no focus']),
    ...(isCovered ? ['is covered or out of sight'] : []),
  ]
  return { at: name, isWanted, wrong: wrong.join(', ') }
}`
