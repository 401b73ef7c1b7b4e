/** The page that checks a draw, in Chromium: a local system on the same machine serves it and the files of the draw. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import type { Browser } from '@playwright/test'
import { controlClient } from '../../../cli/control-client.ts'
import type { SaleId } from '../../../core/ids.ts'
import { s3DrawFiles } from '../../../functions/entries/adapters/site.s3.ts'
import type { Stack } from '../../../local/stack.ts'
import { desktop, launchBrowser } from '../../../test/browser/browser.ts'
import { rushSale } from '../../rush/open-sale.ts'
import { withStep } from '../harness.ts'
import { withOwnSystem, withoutSchedule } from '../own-system.ts'

const visits = 3

/** More than any check takes: how long it would need, not what it reaches. */
const patienceMs = 300_000

/**
 * Seconds of each visit, by a reader with an empty cache, from the click that lets the page read a large list to its
 * verdict. `folder` has the files of the draw.
 * @throws unless the page finds the draw true
 */
export function checkOnPage(saleId: SaleId, folder: string): Promise<number[]> {
  return withOwnSystem(async (system, stack) => {
    // The edge answers 404 for files of a sale that the shop does not have.
    const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
    const units = { stock: 1, quantity: 1, limitPerShopper: 1 }
    await control.create(rushSale(saleId, Date.now() + 3_600_000, units))
    await upload(stack, saleId, folder)
    const browser = await launchBrowser()
    try {
      return await withStep('check on the page', visits, async (to) => {
        const seconds: number[] = []
        for (let visit = 1; visit <= visits; visit += 1) {
          seconds.push((await visitPage(browser, `${stack.url}/draw/?sale=${saleId}`)) / 1000)
          to(visit)
        }
        return seconds
      })
    } finally {
      await browser.close()
    }
  }, withoutSchedule)
}

async function upload(stack: Stack, saleId: SaleId, folder: string): Promise<void> {
  const { endpoint, bucket } = (await stack.parts()).parts.s3
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const s3 = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true })
  const files = s3DrawFiles(s3, bucket)(saleId)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    await files.write(relative(folder, path), new Uint8Array(await readFile(path)))
  }
  s3.destroy()
}

/** Milliseconds. */
async function visitPage(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ ...desktop, locale: 'en-GB' })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const [large, verdict] = [page.locator('#large'), page.locator('#verdict .verdict')]
  const said = async (tone: string) => {
    if ((await verdict.count()) > 0 && (await verdict.getAttribute('data-tone')) !== tone)
      throw new Error(`the page says: ${await verdict.textContent()}`)
  }
  await page.goto(address)
  // A page that cannot read the draw says so instead of asking.
  await large.or(verdict).waitFor()
  await said('')
  const startedAt = performance.now()
  await large.click()
  await verdict.waitFor()
  const ms = performance.now() - startedAt
  await said('good')
  await context.close()
  return ms
}
