/** examples/nextjs as a site: installed from its lock file, built and started by Next.js, and a customer buys on it. */
import { generateKeyPairSync } from 'node:crypto'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { complaintsOf, launchBrowser, phone } from '../browser/browser.ts'
import { soon, textOf } from '../browser/reads.ts'
import { faultsOf, newVisitor, picture } from '../browser/visitor.ts'
import { newFolder } from '../folders.ts'
import { openSale, shopAt } from '../journey/support.ts'
import { examplesFolder, runProgram, startProgram } from './programs.ts'
import { ordersOf, withIssuer } from './shop.ts'

const stack = shopAt(inject('shopUrl'))

it('sells a unit to a customer of the Next.js site, under a strict policy, and to no guest', {
  timeout: 600_000,
}, async () => {
  const cwd = newFolder('example')
  await cp(join(examplesFolder, 'nextjs'), cwd, { recursive: true })
  await runProgram('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd })
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  await writeFile(join(cwd, 'shop-key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }))

  const issuer = 'https://nextjs.example'
  await withIssuer(stack, 'nextjs', issuer, {
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }],
  })
  const port = String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const { saleId } = await openSale(stack, { allowedOrigins: [origin] })
  const env = {
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
    ...{ SLUICE_URL: stack.url, SALE: saleId, DEMO_CUSTOMER: 'ann' },
    ...{ SHOP_ISSUER: issuer, SHOP_KEY_FILE: 'shop-key.pem' },
  }
  await runProgram('npm', ['run', 'build'], { cwd, env })
  const next = join(cwd, 'node_modules/next/dist/bin/next')
  await startProgram(
    { command: process.execPath, args: [next, 'start', '--hostname', '127.0.0.1', '--port', port], cwd, env },
    /Ready in/,
  )

  const browser = await launchBrowser(['--test-third-party-cookie-phaseout'])
  try {
    const guest = await newVisitor(browser, phone)
    const answer = await guest.goto(origin)
    expect(answer?.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self' 'nonce-/)
    await textOf(guest, 'sluice-sale a[part=link]').toBe('Sign in to buy')
    expect(await guest.evaluate("fetch('/sale-token').then(({ status }) => status)")).toBe(401)

    const page = await newVisitor(browser, phone)
    const complaints = complaintsOf(page)
    await page.context().addCookies([{ name: 'demo', value: '1', url: origin }])
    await page.goto(origin)
    const button = page.locator('sluice-sale [part=button]')
    await soon(() => button.textContent()).toBe('Buy now')
    expect(await faultsOf(page)).toEqual([])
    await button.click()
    await textOf(page, 'sluice-sale [part=status]').toBe('You got it!')
    // `onWon` of the component gave the order to the page.
    await textOf(page, 'main > p').toMatch(new RegExp(`^Your order: ${saleId}-`))
    await soon(() => ordersOf(stack, 'customer:nextjs|ann')).toEqual([saleId])
    await picture(page, 'example-nextjs')
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})
