/**
 * examples/wordpress in a real WordPress, PHP and MariaDB from Debian's packages, without root: the plugin is activated,
 * set in its settings, and sells by its shortcode and its block.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { expect, inject, it } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { complaintsOf, desktop, launchBrowser, phone } from '../browser/browser.ts'
import { soon, textOf } from '../browser/reads.ts'
import { faultsOf, newVisitor, picture } from '../browser/visitor.ts'
import { newFolder } from '../folders.ts'
import { control, openSale, shopAt } from '../journey/support.ts'
import { unpackDebian } from './debian.ts'
import { examplesFolder, runProgram, startProgram } from './programs.ts'
import { ordersOf, withIssuer } from './shop.ts'

const stack = shopAt(inject('shopUrl'))

/** With the libraries that a machine may lack, and the packages that WordPress links its scripts to. */
const packages = [
  ...['wordpress', 'wordpress-theme-twentytwentythree', 'libjs-underscore'],
  ...['php8.2-cli', 'php8.2-common', 'php8.2-mysql', 'libargon2-1', 'libsodium23', 'libedit2', 'libxml2'],
  ...['mariadb-server-core', 'libaio1', 'liburing2'],
]

/** A site with the plugin: its address, the pages with the two sales, and how to sign in there. */
type Site = { url: string; pages: Installed; signIn(page: Page, name: string): Promise<void> }
type Installed = { version: string; customer: number; shortcode: number; block: number }

async function startSite(folder: string, saleId: string): Promise<Site> {
  await unpackDebian(folder, packages)
  const libraries = join(folder, 'usr/lib/x86_64-linux-gnu')
  const [extensions = ''] = await readdir(join(folder, 'usr/lib/php'))
  const site = join(folder, 'usr/share/wordpress')
  const [content, secret] = [join(site, 'wp-content'), randomBytes(16).toString('hex')]
  const [own, socket] = [join(import.meta.dirname, 'wordpress'), join(folder, 'database.sock')]
  await rm(join(site, '.htaccess'))
  await cp(join(own, 'wp-config.php'), join(site, 'wp-config.php'))
  await mkdir(join(content, 'mu-plugins'), { recursive: true })
  await cp(join(own, 'strict-policy.php'), join(content, 'mu-plugins/strict-policy.php'))
  const plugin = join(content, 'plugins/sluice-sale')
  await cp(join(examplesFolder, 'wordpress/sluice-sale'), plugin, { recursive: true })
  const ini = join(folder, 'php.ini')
  const modules = ['ctype', 'iconv', 'tokenizer', 'fileinfo', 'mysqlnd', 'mysqli']
  const lines = [`extension_dir=${join(folder, 'usr/lib/php', extensions)}`, 'sendmail_path=/bin/true']
  await writeFile(ini, [...lines, ...modules.map((name) => `extension=${name}`), ''].join('\n'))

  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ LD_LIBRARY_PATH: libraries, DATABASE_SOCKET: socket, SITE_URL: url, SITE_SECRET: secret },
    ...{ SLUICE_URL: stack.url, SHORTCODE_SALE: saleId },
    // No configuration of the machine's own PHP.
    PHP_INI_SCAN_DIR: '',
  }
  const data = join(folder, 'data')
  await mkdir(data)
  // Without its tables of users: only this test reaches the socket.
  const settings = [
    ...['--no-defaults', '--skip-grant-tables', '--skip-networking', '--user=root'],
    ...[`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${join(folder, 'database.pid')}`],
    `--lc-messages-dir=${join(folder, 'usr/share/mysql')}`,
  ]
  const database = join(folder, 'usr/sbin/mariadbd')
  await startProgram({ command: database, args: settings, cwd: folder, env }, /ready for connections/)
  const php = join(folder, 'usr/bin/php8.2')
  const installed = await runProgram(php, ['-c', ini, join(own, 'install.php')], { cwd: site, env })
  const args = ['-c', ini, '-S', `127.0.0.1:${port}`, '-t', site]
  await startProgram({ command: php, args, cwd: site, env }, /Development Server .* started/)
  return {
    url,
    pages: JSON.parse(installed.slice(installed.indexOf('{'))),
    async signIn(page, name) {
      await page.goto(`${url}/wp-login.php`)
      await page.fill('#user_login', name)
      await page.fill('#user_pass', secret)
      await Promise.all([page.waitForURL(/wp-admin/), page.click('#wp-submit')])
    },
  }
}

/** The settings page, filled in as an administrator does; resolves with the public keys that it shows. */
async function configure(page: Page, site: Site, issuer: string, keyFile: string): Promise<object> {
  await page.goto(`${site.url}/wp-admin/options-general.php?page=sluice-sale`)
  const fields = { url: `${stack.url}/`, issuer, key_id: 'first', key_file: keyFile }
  for (const [name, value] of Object.entries(fields)) await page.fill(`#sluice-${name}`, value)
  await Promise.all([page.waitForURL(/settings-updated/), page.click('#submit')])
  return JSON.parse((await page.locator('#sluice-jwks').inputValue({ timeout: 5000 })) ?? '')
}

async function buyOn(page: Page, site: Site, name: 'shortcode' | 'block'): Promise<void> {
  await page.goto(`${site.url}/?page_id=${site.pages[name]}`)
  const button = page.locator('sluice-sale [part=button]')
  await soon(() => button.textContent()).toBe('Buy now')
  expect(await faultsInside(page)).toEqual([])
  await button.click()
  await textOf(page, 'sluice-sale [part=status]').toBe('You got it!')
  await picture(page, `example-wordpress-${name}`)
}

/** The theme is not ours to judge. */
const faultsInside = async (page: Page) => (await faultsOf(page)).filter((fault) => /part=|sluice/.test(fault))

it('sells in WordPress by a shortcode and by a block, to its users, under a strict policy', {
  timeout: 600_000,
}, async () => {
  const folder = newFolder('example')
  const [byShortcode, byBlock] = await Promise.all([openSale(stack), openSale(stack)])
  const site = await startSite(folder, byShortcode.saleId)
  const allowed = { allowedOrigins: [site.url] }
  for (const { saleId } of [byShortcode, byBlock]) await control(stack, `/sales/${saleId}`, allowed, 'PATCH')
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const pem = key.export({ format: 'pem', type: 'pkcs8' })
  const [keyFile, publicFile] = [join(folder, 'shop-key.pem'), join(folder, 'usr/share/wordpress/shop-key.pem')]
  await Promise.all([writeFile(keyFile, pem), writeFile(publicFile, pem)])

  const browser = await launchBrowser(['--test-third-party-cookie-phaseout'])
  try {
    const admin = await newVisitor(browser, desktop)
    await site.signIn(admin, 'admin')
    await expect(configure(admin, site, 'https://wordpress.example', publicFile)).rejects.toThrow('sluice-jwks')
    expect(await admin.locator('.notice-error').textContent()).toContain('lies in the folder of WordPress')
    const jwks = await configure(admin, site, 'https://wordpress.example', keyFile)
    expect(JSON.stringify(jwks)).not.toContain('"d"')
    await withIssuer(stack, 'wordpress', 'https://wordpress.example', jwks)
    await picture(admin, 'example-wordpress-settings')
    await useEditor(admin, site, byBlock.saleId)

    await visitAsGuest(browser, site)
    const customer = await newVisitor(browser, phone)
    await site.signIn(customer, 'ann')
    const complaints = complaintsOf(customer)
    await buyOn(customer, site, 'shortcode')
    await buyOn(customer, site, 'block')
    expect(complaints).toEqual([])
    await soon(async () => (await ordersOf(stack, `customer:wordpress|wp-${site.pages.customer}`)).toSorted()).toEqual(
      [byShortcode.saleId, byBlock.saleId].toSorted(),
    )
  } finally {
    await browser.close()
  }
})

/** Enters the sale into the block of the page, as its author does. */
async function useEditor(page: Page, site: Site, saleId: string): Promise<void> {
  await page.goto(`${site.url}/?page_id=${site.pages.block}`)
  await textOf(page, 'main').toContain('Sluice: name the sale by its id')
  await page.goto(`${site.url}/wp-admin/post.php?post=${site.pages.block}&action=edit`)
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await page.getByLabel('Id of the sale').fill(saleId)
  await picture(page, 'example-wordpress-editor')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByText('Page updated.').first().waitFor()
}

/** A guest is led to the sign-in, and another site gets no token. */
async function visitAsGuest(browser: Browser, site: Site): Promise<void> {
  const page = await newVisitor(browser, phone)
  const answer = await page.goto(`${site.url}/?page_id=${site.pages.shortcode}`)
  expect(answer?.headers()['content-security-policy']).toContain(`script-src 'self' ${stack.url};`)
  await textOf(page, 'sluice-sale a[part=link]').toBe('Sign in to buy')
  const token = `${site.url}/wp-admin/admin-ajax.php?action=sluice_token`
  const statusFor = async (from: string) => (await fetch(token, { headers: { 'sec-fetch-site': from } })).status
  expect([await statusFor('same-origin'), await statusFor('cross-site')]).toEqual([401, 403])
}
