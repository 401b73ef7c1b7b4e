/**
 * A front before a running shop for one browser: it counts the requests that the browser really sends, which
 * a page's own cache does not answer, and shows the pointer of a sale as of another time.
 */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { clockHeader } from '../../core/gate/cors.ts'
import { type Listening, listen } from '../../local/listen.ts'
import { readPointer } from '../../web/wire.ts'
import { phone } from './browser.ts'
import { installClock, newVisitor } from './visitor.ts'

/**
 * The time that the page shall live in, epoch ms, and the units that it shall see as left; with undefined it sees
 * the pointer as it is.
 */
type Scene = { now: () => number; left: () => number | undefined }

type CountingFront = Listening & {
  /** Paths in the order in which they were requested, since the last call. */
  taken(): string[]
}

/** A page that lives in another time, its front, and the way on in its time. */
export type PageAhead = {
  page: Page
  front: CountingFront
  /** Its time, epoch ms. */
  now(): number
  /** Lets the page live until then. */
  liveUntil(time: number): Promise<void>
  /** Lets the page sleep so long: what it had to do meanwhile it does once. */
  skip(ms: number): Promise<void>
}

type Ahead = {
  path: string
  /** How far the time of the page is ahead of the shop's; negative where it is behind. */
  aheadMs: number
  left?: Scene['left']
  /** The cookies of a sign-in, from `sessionCookies`. */
  cookies?: readonly { name: string; value: string }[]
  screen?: BrowserContextOptions
}

/** Opens a page of the shop at `shopUrl` in another time. Its front ends with its context. */
export async function openPageAhead(
  browser: Browser,
  shopUrl: string,
  { path, aheadMs, left = () => undefined, cookies = [], screen = phone }: Ahead,
): Promise<PageAhead> {
  let ahead = aheadMs
  const now = () => Date.now() + ahead
  const front = await startCountingFront(shopUrl, { now, left })
  const page = await newVisitor(browser, screen)
  page.context().on('close', () => void front.stop())
  await installClock(page, now())
  await page.context().addCookies(cookies.map(({ name, value }) => ({ name, value, url: front.url })))
  await page.goto(front.url + path)
  return {
    ...{ page, front, now },
    async liveUntil(time) {
      // In small steps: an answer in the middle of a long one would carry the time of its end.
      for (let leftMs = time - now(); leftMs > 0; leftMs = time - now()) {
        const stepMs = Math.min(leftMs, 2000)
        ahead += stepMs
        await page.clock.runFor(stepMs)
      }
    },
    async skip(ms) {
      ahead += ms
      await page.clock.fastForward(ms)
    },
  }
}

/** Before `shopUrl`. Requests to the local payment provider are not the shop's, and not counted. */
async function startCountingFront(shopUrl: string, scene: Scene): Promise<CountingFront> {
  const shop = new URL(shopUrl)
  let paths: string[] = []
  let own = ''
  /** The version of the shop's last pointer. */
  let latest = Number.POSITIVE_INFINITY
  let isStarted = false

  const server = createServer((request, response) => {
    const { url = '/', method, headers } = request
    if (!url.startsWith('/local/')) paths.push(url)
    const isPointer = url.endsWith('/current.json')
    const version = Number(/\/countdown\.(\d+)\.js$/.exec(url)?.[1] ?? 0)
    const asked = version > latest ? url.replace(/\d+(?=\.js$)/, String(latest)) : url
    const isPage = /^\/sales\/[^/]+\/$/.test(url)
    const { 'if-none-match': tag, 'accept-encoding': encoding, origin, ...others } = headers
    const forwarded = {
      ...others,
      host: shop.host,
      ...(origin !== undefined && { origin: shop.origin }),
      ...(tag !== undefined && !isPointer && !isPage && { 'if-none-match': tag }),
      ...(encoding !== undefined && !isPage && { 'accept-encoding': encoding }),
    }
    const onward = send(new URL(asked, shop), { method, headers: forwarded }, (answer) => {
      if (isPointer) void answerPointer(answer, response)
      else if (version > 0) void answerCountdown(answer, response, version)
      else if (isPage) void answerPage(answer, response)
      else if (/^\/api\/.*\/pay/.test(url)) void answerWithOwnUrl(answer, response)
      else {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })

  /** The pointer with the phase and the clock of the scene. The start has its own version, like in the shop. */
  async function answerPointer(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const pointer = readPointer(JSON.parse(await textOf(answer)))
    if (pointer === undefined || answer.headers[clockHeader] === undefined)
      throw new Error('the shop answered without a pointer or without the time')
    const [now, remaining] = [scene.now(), scene.left()]
    latest = pointer.version
    isStarted = now >= pointer.startsAt
    const version = latest + Number(isStarted)
    const src = pointer.src.replace(/\d+(?=\.js$)/, String(version))
    const phase = now < pointer.startsAt ? 'scheduled' : 'open'
    const shown = { ...pointer, version, src, ...(remaining !== undefined && { phase, remaining }) }
    answerWith(answer, response, JSON.stringify(shown), { [clockHeader]: String(now) })
  }

  /** It preloads the countdown. */
  async function answerPage(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(answer)
    const named = (version: string) => String(Number(version) + Number(isStarted))
    answerWith(answer, response, text.replace(/(?<=countdown\.)\d+(?=\.js")/, named))
  }

  /** Before the start the sale waits for its time. */
  async function answerCountdown(answer: IncomingMessage, response: ServerResponse, version: number): Promise<void> {
    const text = await textOf(answer)
    const startsAt = Number(/"startsAt":(\d+)/.exec(text)?.[1])
    const shown = text.replace(/"version":\d+/, `"version":${version}`)
    answerWith(answer, response, scene.now() < startsAt ? shown.replace('"started":true', '"started":false') : shown)
  }

  /** The address of the payment page leads back to this front. */
  async function answerWithOwnUrl(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    answerWith(answer, response, (await textOf(answer)).replaceAll(shop.origin, own))
  }

  const listening = await listen(server, 0)
  own = listening.url
  return {
    ...listening,
    taken() {
      const before = paths
      paths = []
      return before
    },
  }
}

function answerWith(
  { statusCode = 502, headers: { 'content-length': _, ...headers } }: IncomingMessage,
  response: ServerResponse,
  text: string,
  changed: Record<string, string> = {},
): void {
  response.writeHead(statusCode, { ...headers, ...changed })
  response.end(text)
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return text
}
