/** Unpacks the packaged Chromium, in a process of its own because that needs an environment of its own. */
import { unpackBrowser } from './browser.ts'

await unpackBrowser()
