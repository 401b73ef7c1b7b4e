/**
 * A real Chromium for the tests: `CHROMIUM_PATH`, or the one that comes with the npm packages. It needs no
 * root, no download and no system libraries.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'

/** Starts Chromium, with `more` arguments; the caller closes it. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const own = process.env.CHROMIUM_PATH
  if (own !== undefined) return chromium.launch({ executablePath: own, args: ['--no-sandbox', ...more] })
  const { executablePath, args } = await unpackBrowser()
  return chromium.launch({ executablePath, args: [...args, ...more] })
}

/** The packaged Chromium and how to start it. The first call unpacks it, and must not run concurrently. */
export async function unpackBrowser(): Promise<{ executablePath: string; args: string[] }> {
  // The package unpacks its libraries only if it detects Lambda, and it checks once, on import.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs24.x'
  // It unpacks into the temporary folder, under a name that another user of this machine may already own.
  const folder = join(import.meta.dirname, '../../.cache/browser')
  process.env.TMPDIR = folder
  process.env.FONTCONFIG_PATH = await listFonts(folder)
  const { default: packaged } = await import('@sparticuz/chromium')
  // Without its software GL, which took most of the main process's time; no page draws in 3D.
  packaged.setGraphicsMode = false
  // Security stays on: a page that breaks its own policy must break here too. And each page is forked from a prepared
  // process (the zygote): to start the program again for it takes more than twice the processor time.
  const args = packaged.args.filter(
    (arg) =>
      !/single-process|no-zygote|disable-web-security|disable-site-isolation|gpu-blocklist|in-process-gpu/.test(arg),
  )
  return { executablePath: await packaged.executablePath(), args: [...args, '--disable-gpu'] }
}

/**
 * The package's font list points to /tmp, even if it unpacked the fonts elsewhere; without a font no text is drawn.
 * Its Open Sans comes before any other font of the machine that has the wanted weight.
 */
async function listFonts(folder: string): Promise<string> {
  const list = join(folder, 'fontconfig')
  await mkdir(list, { recursive: true })
  const places = [join(folder, 'fonts'), '/usr/share/fonts'].map((place) => `<dir>${place}</dir>`)
  const first =
    '<match><edit name="family" mode="append_last" binding="strong"><string>Open Sans</string></edit></match>'
  const fonts = `${places.join('')}${first}<cachedir>${join(folder, 'fonts-cache')}</cachedir>`
  const file = join(list, 'fonts.conf')
  const own = `${file}.${process.pid}`
  await writeFile(own, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${fonts}</fontconfig>`)
  // Browsers of other workers may read it just now: with half a list they would draw with other fonts.
  await rename(own, file)
  return list
}

/** Twice as many pixels take four times as long to draw, and only pictures show them. */
const deviceScaleFactor = process.env.SCREENSHOTS === undefined ? 1 : 2

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, deviceScaleFactor, isMobile: true }
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

/** Collects the faults of a page: errors, failed requests to its own site, policy violations. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
