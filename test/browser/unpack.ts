/** Unpacks the packaged Chromium, in a separate process because that needs its own environment. */
import { unpackBrowser } from './browser.ts'

await unpackBrowser()
