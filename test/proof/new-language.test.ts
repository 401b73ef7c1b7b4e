/** A language is one file: with it and no other change the build has its words, and pages and emails are written in it. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { hashSources, sources } from '../../build.ts'
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import type { MailFacts } from '../../core/people/mail.ts'
import english from '../../languages/en.json' with { type: 'json' }
import { languageTags } from '../../templates/messages/language-files.ts'
import { newFolder } from '../folders.ts'
import { aSale } from '../redis/support.ts'
import { closing, opening, pseudoLanguage, pseudoText } from './pseudo-language.ts'

const root = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** `use` gets a copy of what the build is made of, in which the file of a language is the only new one. */
async function withLanguage(tag: string, file: object, use: (tree: string) => Promise<void>): Promise<void> {
  const tree = newFolder('language')
  for (const part of ['package.json', ...sources]) {
    await mkdir(path.dirname(path.join(tree, part)), { recursive: true })
    await cp(path.join(root, part), path.join(tree, part), { recursive: true })
  }
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  await writeFile(path.join(tree, `languages/${tag}.json`), JSON.stringify(file))
  await use(tree)
  await rm(path.join(tree, `languages/${tag}.json`))
  expect(await hashSources(tree)).toBe(await hashSources(root))
}

/** Runs the module in the copy, and returns the JSON that it prints. */
async function printedBy<T>(tree: string, source: string): Promise<T> {
  const file = path.join(tree, 'print.ts')
  await writeFile(file, source)
  const { stdout } = await run(process.execPath, [file], { cwd: tree, maxBuffer: 50_000_000 })
  await rm(file)
  return JSON.parse(stdout)
}

describe('a language that is written from right to left, with two texts', () => {
  it('has its direction, and English for what it lacks', async () => {
    const texts = { shop: { 'shop.title': 'מכירות בזק' }, 'console/parts': { 'part.retry': 'שוב' } }
    await withLanguage('he', { name: 'עברית', messages: texts }, async (tree) => {
      const shop = await printedBy<string>(
        tree,
        `
import { buildSite } from './static/build.ts'
import { renderIndexPage } from './templates/pages/shop.ts'
const assets = await buildSite('out')
console.log(JSON.stringify(renderIndexPage([], assets, { languages: ['he', 'en'] })))`,
      )
      expect(shop).toContain('<html lang="he" dir="rtl">')
      expect(shop).toMatch(/<h1><span data-i18n="shop.title">מכירות בזק<\/span><\/h1>/)
      expect(shop).toMatch(/src="\/assets\/shop-he\.\w{8}\.js"/)
      // Missing texts are in English, and the switch names both languages.
      expect(shop).toContain('No sales right now.')
      expect(shop).toContain('data-offered="he en" data-rtl="he"')
      const built = await readdir(path.join(tree, 'out/assets'))
      const wordsOf = async (name: string) => {
        const found = built.find((one) => one.startsWith(`${name}-words-he.`))
        return readFile(path.join(tree, 'out/assets', found ?? name), 'utf8')
      }
      expect(await wordsOf('shop')).toContain('מכירות בזק')
      expect(await wordsOf('console')).toContain('שוב')
      const page = await readFile(path.join(tree, 'out/console/index.html'), 'utf8')
      expect(page).toContain('<option value="he" lang="he">עברית</option>')
    })
  })
})

/** A language of the table of plural forms that the repository does not have. */
const free = ['es', 'pt', 'it', 'nl'].find((tag) => !languageTags.includes(tag)) ?? 'es'

const [saleId, shopperId] = ['mug' as SaleId, 'ann' as ShopperId]
const orderId = `${saleId}-${'a'.repeat(26)}` as OrderId
const at = Date.UTC(2030, 0, 1)
const order = { saleId, shopperId, orderId, quantity: 2, amount: 4800, currency: 'EUR' }
const mails: Readonly<Record<MailFacts['kind'], MailFacts>> = {
  confirmed: { ...order, kind: 'confirmed', hasCodes: false },
  'payment-due': { ...order, kind: 'payment-due', payBy: at },
  cancelled: { ...order, kind: 'cancelled', reason: 'by-marketer', isRefundDue: true },
  refunded: { ...order, kind: 'refunded', returned: [{ amount: 4800, currency: 'EUR' }] },
  shipped: { ...order, kind: 'shipped', shipment: { carrier: 'DHL', tracking: '00340434' } },
  'packet-credited': { saleId, shopperId, kind: 'packet-credited', packet: 7, amount: 888, currency: 'CNY' },
}
const reader = {
  ...{ language: free, title: 'Nº 7', variants: [], brand: { languages: [free] } },
  ...{ shopUrl: 'https://shop.example', timeZone: 'UTC' },
  ...{ unsubscribeUrl: 'https://shop.example/u' },
}
const goods = {
  ...aSale({ saleId, title: 'Nº 7', description: 'Nº 7', price: 2400 }),
  ...{ listPrice: 2900, timeZone: 'Asia/Tokyo', delivery: { countries: ['DE'] } },
  ...{ draw: { opensAt: 1, closesAt: 2, commitSeconds: 60, claimSeconds: 600 } },
}
const variants = ['s', 'm'].map((id) => ({ id, name: id, stock: 5 }))
const pages = `
import { faultsOf } from './templates/messages/language-files.ts'
import { renderMail } from './templates/mails/render.ts'
import { renderAccessibilityPage } from './templates/pages/accessibility.ts'
import { renderCustomerPage } from './templates/pages/customer.ts'
import { renderMissingPage } from './templates/pages/plain-page.ts'
import { renderOrderPage } from './templates/pages/orders.ts'
import { renderRainPage } from './templates/pages/rain.ts'
import { renderSalePage } from './templates/pages/sale.ts'
import { renderIndexPage } from './templates/pages/shop.ts'
import { renderSignInProblem } from './templates/pages/plain-page.ts'
import { renderWalletPage } from './templates/pages/wallet.ts'
const { goods, variants, mails, reader } = ${JSON.stringify({ goods, variants, mails, reader })}
const assets = new Proxy({}, { get: (_, name) => '/assets/' + String(name) })
const { brand, language } = reader
const published = { now: 0, shopUrl: 'https://shop.example', brand }
const packets = { count: 100, totalAmount: 5000 }
console.log(JSON.stringify({
  faults: faultsOf(language),
  mails: Object.values(mails).map((mail) => renderMail(mail, reader)),
  pages: {
    sale: renderSalePage(goods, assets, published),
    variants: renderSalePage({ ...goods, draw: undefined, variants }, assets, published),
    coupon: renderSalePage({ ...goods, kind: 'coupon', price: 0, draw: undefined }, assets, published),
    rain: renderRainPage({ ...goods, kind: 'red-packet', price: 0, packets, draw: undefined }, assets, published),
    shop: renderIndexPage([goods], assets, brand),
    orders: renderOrderPage(assets, brand),
    wallet: renderWalletPage(assets, brand),
    customer: renderCustomerPage(assets, brand),
    accessibility: renderAccessibilityPage(assets, brand),
    missing: renderMissingPage(language),
    signIn: renderSignInProblem('refused', '/', language),
  },
}))`

type Printed = {
  faults: string[]
  mails: { subject: string; text: string; html: string }[]
  pages: Record<string, string>
}

/** English sentences, without those that are too short to be sure of. */
const sentences = Object.values<Record<string, string>>(english.messages)
  .flatMap((texts) => Object.values(texts))
  .filter((text) => !/[{}']/.test(text) && /\w \w/.test(text) && text.length > 11)
const englishIn = (text: string) => sentences.filter((sentence) => text.includes(sentence))

/** The bundler writes functions in ASCII. */
const inAscii = /⟦|\\u27e6/i

describe('a pseudo-language, made of all English texts', () => {
  it('keeps values, choices and quotes of a text', () => {
    expect(pseudoText('Pay {amount}')).toBe('⟦Pååý {amount}⟧')
    const choice = "{n, plural, =0 {none} one {# '{'unit'}'} other {{n} units}} left"
    expect(pseudoText(choice)).toBe("⟦{n, plural, =0 {ñööñéé} one {# '{'ûûñîît'}'} other {{n} ûûñîîtš}} łééft⟧")
    expect(sentences.length).toBeGreaterThan(500)
  })

  it('is on each page, in each email and in the console after one new file, and nothing is in English', async () => {
    await withLanguage(free, pseudoLanguage(), async (tree) => {
      await run(process.execPath, ['build.ts'], { cwd: tree })
      const built = path.join(tree, 'dist/site/assets')
      const files = await readdir(built)
      const words = files.filter((file) => file.includes(`-words-${free}.`))
      expect(words).toHaveLength(files.filter((file) => file.includes('-words-en.')).length)
      for (const file of words) {
        const source = await readFile(path.join(built, file), 'utf8')
        const texts = JSON.parse(source.replace('export const words=', '')) as Record<string, string>
        for (const [key, text] of Object.entries(texts)) {
          expect([text.at(0), text.at(-1)], `${file}: ${key}`).toEqual([opening, closing])
        }
      }
      const scripts = files.filter((file) => new RegExp(`-${free}\\.\\w{8}\\.js$`).test(file))
      expect(scripts.length).toBeGreaterThan(8)
      for (const file of scripts) expect(englishIn(await readFile(path.join(built, file), 'utf8')), file).toEqual([])

      const printed = await printedBy<Printed>(tree, pages)
      expect(printed.faults).toEqual([])
      for (const [name, page] of Object.entries(printed.pages)) {
        expect(page, name).toContain(`<html lang="${free}"`)
        expect(page.split(opening).length, name).toBeGreaterThan(3)
        expect(page.split(opening).length, name).toBe(page.split(closing).length)
        expect(englishIn(page), name).toEqual([])
      }
      for (const { subject, text, html } of printed.mails) {
        for (const part of [subject, text, html]) expect(part).toContain(opening)
        expect(englishIn(`${subject} ${text} ${html}`), subject).toEqual([])
      }
      const shown = await readFile(path.join(tree, 'dist/site/console/index.html'), 'utf8')
      expect(shown).toContain(`<option value="${free}" lang="${free}">${pseudoLanguage().name}</option>`)
      // The texts of functions and of the edge.
      const mail = await readFile(path.join(tree, 'dist/functions/mail/handler.mjs'), 'utf8')
      expect(mail).toMatch(inAscii)
      expect(await readFile(path.join(tree, 'dist/edge/site-paths.js'), 'utf8')).toMatch(inAscii)
      await rm(path.join(tree, 'dist'), { recursive: true })
    })
  })
})
