/**
 * A real Chromium for the tests: `CHROMIUM_PATH`, or the one that comes with the npm packages. It needs no
 * root, no download and no system libraries.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'

/** Starts Chromium; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ['--no-sandbox'] })
  // The package unpacks its libraries only when it believes to run on Lambda, and it looks once, on import.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs24.x'
  // It unpacks into the temporary folder, under a name that another user of this machine may already own.
  process.env.TMPDIR = join(import.meta.dirname, '../../.cache/browser')
  await mkdir(process.env.TMPDIR, { recursive: true })
  const { default: packaged } = await import('@sparticuz/chromium')
  // Security stays on: a page that breaks its own policy must break here too.
  const args = packaged.args.filter(
    (arg) => !/single-process|disable-web-security|disable-site-isolation/.test(arg),
  )
  return chromium.launch({ executablePath: await packaged.executablePath(), args })
}

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
}
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

/** Collects what a healthy page never does: errors, failed requests of its own, policy violations. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
