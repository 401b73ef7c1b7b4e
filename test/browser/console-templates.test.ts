/** Templates in the console: a sale kept as one, a new sale begun with it, and its end. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { controlApi } from '../../core/api/control.ts'
import { readAnswer } from '../../core/api/operation.ts'
import type { Role } from '../../core/roles.ts'
import { control, definition } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { consoleOf, holdBack } from './console.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop()

const open = (path: string, screen: BrowserContextOptions, locale = 'en-GB', roles: Role[] = ['marketer']) =>
  consoleOf(browser, stack, path, { name: 'mia', roles, screen, locale })

const create = (saleId: string, title: string) =>
  control(
    stack,
    '/sales',
    definition({
      ...{ saleId, title, description: 'Thrown by hand.', stock: 12, price: 4200, currency: 'EUR' },
      ...{ startsAt: Date.now() + 3_600_000, endsAt: Date.now() + 7_200_000 },
    }),
  )

const names = async () => {
  const read = readAnswer(controlApi.listTemplates, await control(stack, '/templates'))
  return read.ok ? read.value.templates.map(({ name }) => name) : read.detail
}

const optionsOf = (page: Page) => page.locator('#field-start-from option').allTextContents()

describe('a template', () => {
  it('is kept from a sale, fills in a new one, and is deleted after a question', async () => {
    await create('autumn-mug', 'Autumn mug')
    const page = await open('#/sale/autumn-mug', desktop)
    await page.click('#template')
    await page.locator('#template-form').waitFor()
    expect(await page.locator('#field-template-name').inputValue()).toBe('Autumn mug')
    await page.fill('#field-template-name', '   ')
    await page.keyboard.press('Enter')
    await page.locator('#field-template-name-error', { hasText: 'Enter a name' }).waitFor()
    await page.fill('#field-template-name', '50 % off / mugs? 🍵')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'template-save-en')
    await page.keyboard.press('Enter')
    await page.locator('#status', { hasText: 'The template “50 % off / mugs? 🍵” is saved.' }).waitFor()
    expect(await names()).toEqual(['50 % off / mugs? 🍵'])
    await picture(page, 'template-saved-en')

    await page.click('#use-template')
    await page.locator('#field-title').waitFor()
    expect(await page.locator('#field-title').inputValue()).toBe('Autumn mug')
    const id = page.locator('#field-saleId')
    const suggested = await id.inputValue()
    expect(suggested).toMatch(/^autumn-mug-\d{8}-\d{6}$/)
    // That of the title may be taken.
    await page.fill('#field-title', 'Autumn mug!')
    expect(await id.inputValue()).toBe(suggested)
    await page.fill('#field-title', 'Autumn mug')
    await page
      .locator('#field-start-from option', { hasText: '50 % off / mugs? 🍵' })
      .waitFor({ state: 'attached' })
    const chosen = page.locator('#field-start-from option:checked')
    expect(await chosen.textContent()).toBe('50 % off / mugs? 🍵')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'template-used-en')

    await page.click('#delete-template')
    await page.locator('#confirm[open]').waitFor()
    await page.keyboard.press('Escape')
    expect(await names()).toHaveLength(1)
    await page.click('#delete-template')
    await page.click('[data-choice=delete]')
    await page.waitForURL(`${stack.url}/console/#/new`)
    expect(await names()).toEqual([])
    await page.context().close()
  })

  it('says which one it replaces', async () => {
    await create('winter-mug', 'Winter mug')
    await control(stack, '/templates', { name: '冬日', saleId: 'winter-mug' }, 'PUT')
    const page = await open('#/sale/winter-mug/template', { ...phone, colorScheme: 'dark' }, 'zh-CN')
    await page.locator('#template-form').waitFor()
    await page.fill('#field-template-name', ' 冬日 ')
    await page.locator('#template-news', { hasText: /将覆盖 .* 保存的模板“冬日”/ }).waitFor()
    expect(await page.locator('#save-template').textContent()).toBe('覆盖模板')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'template-replace-zh-phone')
    await page.click('#save-template')
    await page.locator('#status', { hasText: '模板“冬日”已保存' }).waitFor()
    expect(await names()).toEqual(['冬日'])
    await page.goto(`${stack.url}/console/#/new/${encodeURIComponent('冬日')}`)
    await page.locator('#field-start-from option', { hasText: '冬日' }).waitFor({ state: 'attached' })
    expect(await page.locator('#field-title').inputValue()).toBe('Winter mug')
    await picture(page, 'template-used-zh-phone')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.context().close()
  })

  it('is one choice beside an empty form and the last sales, and what is entered is not dropped unasked', async () => {
    await create('spring-mug', 'Spring mug')
    await control(stack, '/templates', { name: 'Spring', saleId: 'spring-mug' }, 'PUT')
    const page = await open('#/new', desktop)
    await page.locator('#field-start-from option', { hasText: 'Spring mug' }).waitFor({ state: 'attached' })
    const options = await optionsOf(page)
    expect(options[0]).toBe('Empty form')
    expect(options).toEqual(expect.arrayContaining(['Spring', 'Spring mug']))
    await page.selectOption('#field-start-from', { label: 'Spring mug' })
    const chosen = page.locator('#field-start-from option:checked')
    await chosen.filter({ hasText: 'Spring mug' }).waitFor({ state: 'attached' })
    expect(new URL(page.url()).hash).toBe('#/sale/spring-mug/copy')
    // The keyboard goes on where the choice was.
    await page.locator('#field-start-from:focus').waitFor()
    expect(await page.locator('#field-title').inputValue()).toBe('Spring mug')
    await page.fill('#field-title', 'Something of mine')
    await page.selectOption('#field-start-from', { label: 'Spring' })
    await page.locator('#confirm[open]').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('#field-title').inputValue()).toBe('Something of mine')
    expect(await chosen.textContent()).toBe('Spring mug')
    await page.context().close()
  })

  it('leaves the next view alone when it is saved after its own was left', async () => {
    await create('late-mug', 'Late mug')
    const page = await open('#/sale/late-mug/template', desktop)
    const answer = await holdBack(page, 'PUT', /\/api\/control\/templates$/)
    await page.click('#save-template')
    await page.click('[data-tab=audit]')
    await page.locator('#audit-day').focus()
    await answer()
    expect(await page.locator('#audit-day:focus').count()).toBe(1)
    expect(await page.locator('#use-template').count()).toBe(0)
    expect(await page.locator('#status').textContent()).toBe('')
    expect(await names()).toContain('Late mug')
    await page.context().close()
  })

  it('says so when it is gone, or cannot be read any more', async () => {
    const page = await open('#/new/Nothing', desktop)
    await page.locator('[role=alert]', { hasText: 'There is no template “Nothing”.' }).waitFor()
    await page.route('**/api/control/templates', (route) =>
      route.fulfill({ json: { templates: [{ name: 'Old', savedAt: 5, definition: null }] } }),
    )
    await page.goto(`${stack.url}/console/#/new/Old`)
    await page.locator('[role=alert]', { hasText: 'was saved by another version' }).waitFor()
    await page.locator('#delete-template').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'template-unreadable-en')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  })

  it('is not offered to viewers', async () => {
    await create('watched-mug', 'Watched mug')
    const page = await open('#/sale/watched-mug', desktop, 'en-GB', ['viewer'])
    await page.locator('h1', { hasText: 'Watched mug' }).waitFor()
    expect(await page.locator('#template').count()).toBe(0)
    await page.context().close()
  })
})
