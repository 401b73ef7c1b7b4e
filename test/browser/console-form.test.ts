/**
 * A new sale in a real browser: step by step and by the keyboard alone, with the preview of its page, and a
 * half-filled form when the session ends or the marketer leaves.
 */
import type { Page, Route } from '@playwright/test'
import { describe, expect, it, vi } from 'vitest'
import { control, definition } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import {
  addPicture,
  askedBy,
  choose,
  consoleOf,
  enter,
  holdBack,
  mia,
  nextStep,
  pressAndChoose,
  previewIn,
  saveNewSale,
  signedIn,
  unfold,
} from './console.ts'
import { keyboardOf } from './keyboard.ts'
import { inputOf, soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { arriveAt, expectNoComplaints, faultsOf, tryAgainUntil } from './visitor.ts'

const { stack, browser } = await openShop()

const newSale = (change = {}) => consoleOf(browser, stack, '#/new', { ...mia, ...change })

async function typedForm(saleId: string, change = {}): Promise<Page> {
  const page = await consoleOf(browser, stack, '', { ...mia, ...change })
  // From the list into the form, as a person gets there.
  await page.click('#new-sale')
  await page.fill('#field-title', 'A kettle')
  await unfold(page, 'advanced')
  await enter(page, { saleId, description: 'Copper.' })
  await addPicture(page)
  await page.fill('#field-price', '12')
  return page
}

const title = (page: Page) => inputOf(page, '#field-title')

/** Signs in in the tab that the form opens, and waits until the form has saved its sale. */
async function signInAgain(page: Page, meanwhile = async () => {}): Promise<void> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), page.click('#form-sign-in')])
  await meanwhile()
  await arriveAt(tab, /\/sign-in\/\?uid=/)
  await tab.fill('#shopperId', 'mia')
  await tab.click('button[type=submit]')
  await tryAgainUntil(tab, () => tab.isClosed(), 'the tab to close')
  await page.locator('#actions').waitFor()
}

describe('the form of a sale', () => {
  it('keeps its input when the session ends, shows that at the button, and saves after a sign-in in a new tab', async () => {
    const page = await typedForm('kettle', { screen: phone })
    await page.context().clearCookies()
    await saveNewSale(page)
    const message = page.locator('#form-news', { hasText: 'Your session has ended.' })
    await message.waitFor()
    // The message, which was 1,300 px above, is visible now, and the button still has the focus.
    await soon(async () => {
      const { y = -1, height = 0 } = (await message.boundingBox()) ?? {}
      return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0)
    }).toBe(true)
    await soon(() => page.locator('#save:focus').count()).toBe(1)
    await title(page).toBe('A kettle')
    await signInAgain(page)
    expect(page.url()).toBe(`${stack.url}/console/#/sale/kettle`)
  })

  it('keeps its input when it was opened before the console knew who asks', async () => {
    const page = await signedIn(browser, stack, mia)
    const calls: Route[] = []
    await page.route('**/api/control/me', (route) => void calls.push(route))
    await page.goto(`${stack.url}/console/#/blocks`)
    await soon(() => calls.length).toBe(1)
    await page.evaluate("location.hash = '#/new'")
    await page.evaluate('new Promise(requestAnimationFrame)')
    await calls[0]?.continue()
    await page.fill('#field-title', 'A kettle')
    for (const late of calls.slice(1)) {
      const answered = page.waitForResponse('**/api/control/me')
      await late.continue()
      await (await answered).finished()
    }
    await page.evaluate('new Promise(requestAnimationFrame)')
    await inputOf(page, '#field-title').toBe('A kettle')
  })

  it('saves after a sign-in in a new tab what was corrected in another language', async () => {
    const page = await typedForm('mended-kettle')
    await page.context().clearCookies()
    await saveNewSale(page)
    await page.locator('#form-news', { hasText: 'Your session has ended.' }).waitFor()
    await signInAgain(page, async () => {
      await switchLanguage(page)
      await page.locator('#form-news', { hasText: '登录已过期。' }).waitFor()
      await page.click('#back')
      await page.fill('#field-title', 'A copper kettle')
    })
    await textOf(page, 'h1').toBe('A copper kettle')
  })

  it('saves a sale with the title of another one, whose ID it followed, under an ID with the time', async () => {
    await control(stack, '/sales', definition({ saleId: 'weekly-kettle' }))
    const page = await typedForm('')
    await page.fill('#field-title', 'Weekly kettle')
    await saveNewSale(page)
    await page.waitForURL(/#\/sale\/weekly-kettle-\d{8}-\d{6}$/)
  })

  it('asks before a link, Back or closing the page discards a half-filled form', async () => {
    const page = await typedForm('left-kettle', { locale: 'zh-CN' })
    await page.goBack()
    await page.locator('#confirm[open]').waitFor()
    await page.keyboard.press('Escape')
    await title(page).toBe('A kettle')

    await page.click('[data-tab=audit]')
    await page.locator('#confirm', { hasText: '放弃已填写的内容？' }).waitFor()
    await choose(page, 'back')
    await title(page).toBe('A kettle')
    expect(page.url()).toContain('#/new')

    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await title(page).toBe('A kettle')

    await pressAndChoose(page, '[data-tab=audit]', 'discard')
    await page.locator('#audit-day').waitFor()
  })

  it('waits for a picture on its way, and then goes on by itself', async () => {
    const page = await typedForm('uploaded-kettle')
    const upload = await holdBack(page, 'POST', /\/api\/control\/pictures\/[0-9a-f]+$/)
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await page.setInputFiles('#picture-files', { name: 'kettle.png', mimeType: 'image/png', buffer: picture })
    await page.fill('#field-pictures-1-alt', 'A kettle')
    await page.click('#next')
    await page.locator('#next[aria-busy=true]').waitFor()
    await page.locator('#form-news', { hasText: 'Waiting for the picture.' }).waitFor()
    await upload()
    await page.locator('[data-step=check]:not([hidden])').waitFor()
  })

  it('asks nothing of who leaves while it is saved, and opens what was wanted', async () => {
    const page = await typedForm('saved-kettle')
    const save = await holdBack(page, 'POST', /\/api\/control\/sales$/)
    await saveNewSale(page)
    await page.locator('#save[aria-busy=true]').waitFor()
    await page.click('[data-tab=audit]')
    await save()
    await page.locator('#audit-day').waitFor()
    expect([await page.locator('#confirm[open]').count(), new URL(page.url()).hash]).toEqual([0, '#/audit'])
    expect(await control(stack, '/sales/saved-kettle', undefined, 'GET')).toMatchObject({ title: 'A kettle' })
  })

  it('has what was entered again after a crash, until it is discarded or saved', async () => {
    const page = await typedForm('crashed-kettle')
    const crash = async () => {
      const other = await page.context().newPage()
      await other.goto(page.url())
      return other
    }
    const again = await crash()
    await title(again).toBe('A kettle')
    await again.locator('#draft-notice', { hasText: 'It is not saved yet.' }).waitFor()
    expect(await faultsOf(again)).toEqual([])
    await again.click('#draft-discard')
    await title(again).toBe('')
    await again.locator('#draft-notice').waitFor({ state: 'detached' })
    await page.fill('#field-title', 'A copper kettle')
    await saveNewSale(page)
    await page.locator('#actions').waitFor()
    const last = await page.context().newPage()
    await last.goto(`${stack.url}/console/#/new`)
    await title(last).toBe('')
    await soon(() => last.locator('#draft-notice').count()).toBe(0)
  })

  it('keeps its input when the language changes, and does not ask when it is empty', async () => {
    const page = await typedForm('word-kettle')
    await switchLanguage(page)
    await page.locator('h1', { hasText: '新建活动' }).waitFor()
    await title(page).toBe('A kettle')
    await enter(page, { title: '', saleId: '', description: '', price: '' })
    await page.click('[aria-label="删除第 1 张图片"]')
    await page.click('[data-tab=sales]')
    await page.locator('#new-sale').waitFor()
  })

  it('fills in the rounds of a schedule, which can be changed, saved and copied (N6, R7)', async () => {
    const page = await typedForm('daily-kettle')
    await page.fill('#field-stock', '30')
    await page.click('#schedule summary')
    await enter(page, { 'schedule-firstDay': '2030-12-30', 'schedule-days': '60', 'schedule-times': '9, 21:30' })
    await page.fill('#field-schedule-minutes', '45')
    await page.press('#field-schedule-minutes', 'Tab')
    await page.keyboard.press('Enter')
    await page.locator('#field-schedule-days[aria-invalid=true]:focus').waitFor()
    await page.fill('#field-schedule-days', '3')
    await page.click('#schedule-fill')
    await inputOf(page, '#field-windows-5-startsAt').toBe('2031-01-01T21:30')
    await inputOf(page, '#field-windows-5-stock').toBe('30')
    await page.fill('#field-windows-5-stock', '99')
    await saveNewSale(page)
    await textOf(page, '#windows').toContain('99')

    await page.click('#copy')
    await page.locator('#advanced[open]').waitFor()
    const copyId = await page.inputValue('#field-saleId')
    expect(copyId).toMatch(/^daily-kettle-\d{8}-\d{6}$/)
    await inputOf(page, '#field-windows-5-stock').toBe('99')
    await title(page).toBe('A kettle')
    await saveNewSale(page)
    await page.locator('#windows').waitFor()
    expect(page.url()).toBe(`${stack.url}/console/#/sale/${copyId}`)
  })
})

/**
 * Chooses in the list that has the focus by the first letters of its text. Keys within a second count as one search, so
 * a slow machine has to type them again.
 */
function chooseByLetters(page: Page, id: string, letters: string, value: string): Promise<void> {
  const choose = async () => {
    await page.keyboard.type(letters)
    expect(await page.inputValue(`#${id}`)).toBe(value)
  }
  return vi.waitFor(choose, { timeout: 60_000, interval: 1500 })
}

/** An expression about the document in the frame, which runs none of its own. */
const inFrame = (page: Page, expression: string): Promise<unknown> =>
  page.evaluate(`(({ body, scrollingElement }) => ${expression})(
    document.querySelector('#preview-frame').contentDocument)`)

/** The colours of the frame. */
const paper = (page: Page) => inFrame(page, 'getComputedStyle(body).backgroundColor')

describe('a new sale by the keyboard alone', () => {
  it('goes from the list to the saved sale, and its page is seen on the way', async () => {
    const page = await consoleOf(browser, stack, '#/', { ...mia, screen: { ...desktop, colorScheme: 'light' } })
    expectNoComplaints(page)
    const preview = previewIn(page)
    const keys = keyboardOf(page)
    await keys.press('#new-sale')
    await keys.goTo('#kind-goods')
    await page.keyboard.press('ArrowDown')
    await soon(() => page.locator('#kind-coupon').isChecked()).toBe(true)
    await page.keyboard.press('ArrowUp')
    await keys.type('#field-title', 'Copper kettle')

    // Enter means Next, which stops at the first wrong field.
    await page.keyboard.press('Enter')
    await page.locator('#field-description[aria-invalid=true]:focus').waitFor()
    await page.keyboard.type('Hammered by hand.')
    // There is no picture yet: the choice of one is next.
    await keys.press('#next')
    await page.locator('#picture-files[aria-invalid=true]:focus').waitFor()
    await textOf(page, '#pictures-error').toBe('Add 1 to 8 pictures.')
    await keys.press('#picture-add')
    // Its complaint leaves with the row; what the row lacks is said later.
    await textOf(page, '#pictures-error').toBe('')
    await keys.type('#field-pictures-0-src', '/assets/pictures/teapot.svg')
    await keys.type('#field-pictures-0-alt', 'A kettle')
    await keys.type('#field-price', '49')
    await soon(() => page.locator('#field-price').getAttribute('aria-invalid')).toBe('false')
    await textOf(page, '#form-news').toBe('')

    // The page of the sale, at three moments of it.
    await textOf(preview, 'h1').toBe('Copper kettle')
    await textOf(preview, '#price').toMatch(/49\.00/)
    await textOf(preview, '.prose').toBe('Hammered by hand.')
    await preview.locator('#main[data-phase=scheduled]').waitFor()
    await keys.goTo('#preview-state-before')
    await page.keyboard.press('ArrowRight')
    await preview.locator('#buy', { hasText: 'Buy now' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await preview.locator('#buy', { hasText: 'Sold out' }).waitFor()
    await soon(() => preview.locator('.stepper').count()).toBe(0)
    await page.keyboard.press('ArrowLeft')

    // In the other language and in the other colours.
    await keys.goTo('#preview-language-en')
    await page.keyboard.press('ArrowRight')
    await preview.locator('#buy', { hasText: '立即抢购' }).waitFor()
    const before = await paper(page)
    await keys.goTo('#preview-scheme-light')
    await page.keyboard.press('ArrowRight')
    await soon(() => paper(page)).not.toBe(before)

    await keys.goTo('#field-delivery-countries')
    await chooseByLetters(page, 'field-delivery-countries', 'Germ', 'DE')
    await keys.press('#country-add')
    await page.locator('#field-delivery-countries:focus').waitFor()
    // A selected entry counts, added or not.
    await chooseByLetters(page, 'field-delivery-countries', 'Chin', 'CN')
    await keys.press('#next')

    await page.locator('#check-title:focus').waitFor()
    await textOf(page, '[data-line="summary.what"]').toContain('Copper kettle')
    await textOf(page, '[data-line="summary.delivery"]').toContain('Germany or China')
    await textOf(page, '[data-line="summary.money"]').toMatch(/4,900\.00/)
    await soon(() => page.locator('[data-warning="warn.sample"]').count()).toBe(1)
    await soon(() => page.locator('[data-warning="warn.noCountries"]').count()).toBe(0)

    // Back loses nothing.
    await keys.press('#back')
    await page.locator('#form-title:focus').waitFor()
    await textOf(page, '#countries').toContain('Germany')
    await inputOf(page, '#field-delivery-countries').toBe('CN')
    await keys.press('#next')
    await page.locator('#check-title:focus').waitFor()
    await keys.press('#save')
    await page.locator('#phase[data-phase=draft]').waitFor()
    await textOf(page, 'h1').toBe('Copper kettle')
    expect(keys.faults).toEqual([])
  })

  it('shows its page in a dialog on a phone, in Chinese and in dark colours first', async () => {
    const page = await newSale({ screen: { ...phone, colorScheme: 'dark' }, locale: 'zh-CN' })
    expectNoComplaints(page)
    const preview = previewIn(page)
    const keys = keyboardOf(page)
    await enter(page, { title: '铜壶', price: '49' })
    await keys.press('#preview-open')
    await page.locator('#preview[open]').waitFor()
    await textOf(preview, 'h1').toBe('铜壶')
    await keys.goTo('#preview-state-before')
    await page.keyboard.press('ArrowRight')
    await preview.locator('#buy', { hasText: '立即抢购' }).waitFor()
    await keys.goTo('#preview-language-zh-CN')
    await page.keyboard.press('ArrowLeft')
    await preview.locator('#buy', { hasText: 'Buy now' }).waitFor()
    const before = await paper(page)
    await keys.goTo('#preview-scheme-dark')
    await page.keyboard.press('ArrowLeft')
    await soon(() => paper(page)).not.toBe(before)
    await page.keyboard.press('Escape')
    await page.locator('#preview-open:focus').waitFor()
    expect(keys.faults).toEqual([])
  })
})

describe('a window that becomes narrow while the form is drawn', () => {
  it('has the button that opens the preview', async () => {
    const page = await signedIn(browser, stack, mia)
    // The window is narrow before the form begins to listen, so no event tells of it.
    await page.addInitScript(`{
      const { matchMedia } = window
      window.matchMedia = (query) => {
        const list = matchMedia(query)
        if (query !== '(min-width: 1080px)') return list
        let matches = true
        return { get matches() { return matches }, addEventListener() { matches = false }, removeEventListener() {} }
      }
    }`)
    await page.goto(`${stack.url}/console/#/new`)
    await page.locator('#preview-open').click()
    await page.locator('#preview[open]').waitFor()
  })
})

it('the preview in a frame that is not loaded yet is drawn when it is loaded, and no error is thrown before', async () => {
  const page = await newSale()
  expectNoComplaints(page)
  await textOf(previewIn(page), 'h1').toBe('Title')
  await inFrame(page, 'body.remove()')
  await page.fill('#field-title', 'Copper kettle')
  await page.locator('label:has(#preview-state-open)').click()
  await page.evaluate('document.querySelector("#preview-frame").srcdoc += " "')
  await textOf(previewIn(page), 'h1').toBe('Copper kettle')
})

describe('the steps of a new sale', () => {
  it('open the one with the wrong field when the shop refuses it, and keep their step in another language', async () => {
    await control(stack, '/sales', definition({ saleId: 'taken-kettle' }))
    const page = await typedForm('taken-kettle')
    await page.click('#advanced > summary')
    await nextStep(page)
    await page.click('#save')
    await page.locator('#field-saleId[aria-invalid=true]:focus').waitFor()
    await page.locator('#advanced[open]', { hasText: 'Sale ID' }).waitFor()

    // Forward only past what is right.
    await enter(page, { saleId: 'taken-kettle-2', price: 'much' })
    await page.click('#next')
    await page.locator('#field-price[aria-invalid=true]:focus').waitFor()
    await page.fill('#field-price', '5')
    await nextStep(page)
    await switchLanguage(page)
    await page.locator('#check-title', { hasText: '核对并开启' }).waitFor()
  })

  it('end in a schedule that says its time; what keeps the saved sale from it is said on its page', async () => {
    const page = await typedForm('scheduled-kettle')
    await page.fill('#field-timeZone', 'Europe/Berlin')
    await textOf(page, '#when-hint').toContain('Europe/Berlin')
    // The clocks of Berlin go back over the first, and forward over the second.
    const { startsAt, endsAt } = { startsAt: page.locator('#field-startsAt'), endsAt: page.locator('#field-endsAt') }
    const planned = [await startsAt.inputValue(), await endsAt.inputValue()]
    await endsAt.fill('2030-10-27T02:30')
    await textOf(page, '#field-endsAt-twice option:last-child').toMatch(/^Second time: .*02:30 CET$/)
    await page.locator('#field-endsAt-twice').selectOption({ index: 1 })
    await inputOf(page, '#field-endsAt').toBe('2030-10-27T02:30')
    await startsAt.fill('2030-03-31T02:30')
    await page.click('#next')
    await textOf(page, '#field-startsAt-error').toContain('The next valid time is 2030-03-31 03:00.')
    await soon(() => page.locator('#field-startsAt-twice').count()).toBe(0)
    await startsAt.fill(planned[0] ?? '')
    await endsAt.fill(planned[1] ?? '')
    await page.fill('#field-timeZone', 'Pacific/Kiritimati')
    await nextStep(page)
    await textOf(page, '#start-text').toMatch(/^Opens automatically at .+ (GMT|UTC).* \(.+ GMT\+14\)/)
    await page.route(/\/scheduled-kettle\/start$/, (route) => route.abort())
    expect(await askedBy(page, '#start')).toMatch(
      /It opens automatically at .+ (GMT|UTC).*Stock: 100 units, price: €12\.00/,
    )
    await pressAndChoose(page, '#start', 'start')
    await textOf(page, '#status').toContain('The sale is saved. “Schedule” failed: Can’t connect')
    await page.locator('#phase', { hasText: 'Not scheduled' }).waitFor()
    await page.unroute(/\/scheduled-kettle\/start$/)
    await pressAndChoose(page, '[data-action=start]', 'start')
    await page.locator('#phase[data-start=scheduled]', { hasText: 'GMT+14' }).waitFor()
  })

  it('are no part of an edit, which has the preview of the page as it is', async () => {
    const page = await newSale()
    expectNoComplaints(page)
    const preview = previewIn(page)
    await page.locator('#kind-red-packet').check()
    await enter(page, { title: 'Spring packets', description: 'For all.' })
    await addPicture(page)
    await page.fill('#field-packets-totalAmount', '500')
    await preview.locator('h1', { hasText: 'Spring packets' }).waitFor()
    await page.fill('#field-title', '')
    // Values that are not typed yet are pale placeholders.
    await preview.locator('h1[style*=opacity]', { hasText: 'Title' }).waitFor()
    // A reader who has scrolled stays there, and no picture loads again.
    await inFrame(page, '(scrollingElement.scrollTop = 120, body.querySelector("img").isSame = true)')
    await page.fill('#field-title', 'Spring packets')
    await preview.locator('h1', { hasText: 'Spring packets' }).waitFor()
    expect(await inFrame(page, 'scrollingElement.scrollTop')).toBe(120)
    expect(await inFrame(page, 'body.querySelector("img").isSame')).toBe(true)
    await nextStep(page)
    await page.click('#save')
    await page.click('#edit')
    await page.locator('#field-startsAt').waitFor()
    await page.locator('#field-title:visible').waitFor()
    await soon(() => page.locator('#next:visible').count()).toBe(0)
    await preview.locator('.price', { hasText: '500.00' }).waitFor()
  })
})
