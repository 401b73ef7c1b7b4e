/**
 * A receiver of events like a shop's own: an address that verifies signatures, and a fake of the EventBridge bus. Its page
 * shows each try, and can make tries fail.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import { readBody } from '../../../local/cdn/body.ts'
import type { StartedPart, WorkbenchSeam } from '../../../local/seams.ts'
import { type Html, html } from '../../../templates/pages/html.ts'

/** The page of the receiver on this machine; page.js fills it. */
export const receiverPath = '/local/receiver'

/** The behaviours of the receiver. The bus has no answer 410 and refuses the event instead. */
const receiverBehaviours = ['accept', 'fail', 'hang', 'gone'] as const

const choices: readonly (readonly [(typeof receiverBehaviours)[number], english: string, chinese: string])[] = [
  ['accept', 'Accept it', '接收'],
  ['fail', 'Answer 500', '返回 500'],
  ['hang', 'Do not answer', '不响应'],
  ['gone', 'Answer 410', '返回 410'],
]

const columns: readonly (readonly [english: string, chinese: string])[] = [
  ['Time', '时间'],
  ['Type', '类型'],
  ['About', '订单或活动'],
  ['Signature', '签名'],
  ['Answer', '响应'],
  ['Event', '事件'],
]

const both = ([english, chinese]: readonly [string, string]): Html =>
  html`${english} <span lang="zh-CN">${chinese}</span>`

function renderReceiver(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Receiver · 本机接收端</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${receiverPath}/page.css">
<script type="module" src="${receiverPath}/page.js"></script>
</head>
<body>
<main>
<h1>Receiver <span lang="zh-CN">· 本机接收端</span></h1>
<p>Events of this machine, as a system of your shop receives them. <span lang="zh-CN">本机事件，与您自己的系统收到的一致。</span></p>
<fieldset>
<legend>${both(['What it does with an event', '收到事件后'])}</legend>
${choices.map(choice)}</fieldset>
<p role="status" id="status"></p>
<div class="scroll" tabindex="0" role="region" aria-label="Events · 事件">
<table>
<thead><tr>${columns.map((column) => html`<th scope="col">${both(column)}</th>`)}</tr></thead>
<tbody id="tries"></tbody>
</table>
</div>
</main>
</body>
</html>
`.html
}

const choice = ([value, english, chinese]: (typeof choices)[number]) =>
  html`<label><input type="radio" name="behaviour" value="${value}"> ${both([english, chinese])}</label>
`

/** Paths below the origin of the shop: where it posts events, and its endpoint of EventBridge. */
const addressPath = `${receiverPath}/address`
export const busPrefix = `${receiverPath}/bus`

/** The name of the address among the endpoints of the shop. */
const endpointName = 'receiver'

const behaviour = z.enum(receiverBehaviours)
type ReceiverBehaviour = z.infer<typeof behaviour>

const statusOf = { accept: 204, fail: 500, gone: 410 } as const

/**
 * One try of an event. `about` is the order, sale or packet. `isVerified` is null for an event of the bus, and `status` is null
 * for a try without an answer. `at` is epoch ms, `number` counts from 1.
 */
export type ReceivedTry = {
  number: number
  at: number
  via: 'address' | 'bus'
  id: string
  type: string
  about: string
  isVerified: boolean | null
  status: number | null
  body: string
}

export type LocalReceiver = StartedPart & {
  behave(next: ReceiverBehaviour): Promise<void>
  /** Returns the tries, the oldest first. */
  tries(): readonly ReceivedTry[]
}

/** A limit, because more tries would slow down the page. */
const maxTries = 500

const bodyLimitBytes = 1024 * 1024

const files: Readonly<Record<string, string>> = { 'page.js': 'text/javascript', 'page.css': 'text/css' }

/** The page loads its own script and styles, polls for tries, and cannot be framed. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const payload = z.looseObject({
  type: z.string(),
  data: z.looseObject({
    orderId: z.optional(z.string()),
    packetId: z.optional(z.string()),
    saleId: z.optional(z.string()),
  }),
})

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html */
const putEvents = z.strictObject({
  Entries: z
    .array(
      z.strictObject({
        EventBusName: z.string().check(z.minLength(1)),
        Source: z.string().check(z.minLength(1)),
        DetailType: z.string().check(z.minLength(1)),
        Time: z.number(),
        Detail: z.string(),
      }),
    )
    .check(z.minLength(1), z.maxLength(10)),
})
const busDetail = z.looseObject({ id: z.string() })

/** Creates the receiver. `clock` gives epoch ms. */
export function createReceiver(clock: () => number): LocalReceiver {
  const tries: ReceivedTry[] = []
  let count = 0
  let behaves: ReceiverBehaviour = 'accept'
  let secret: string | undefined
  let enable: () => Promise<unknown> = async () => {}

  function keep(seen: Pick<ReceivedTry, 'via' | 'id' | 'isVerified' | 'status' | 'body'>): void {
    const read = readJson(payload, Buffer.from(seen.body))
    const { type, data } = read.ok ? read.value : { type: '?', data: {} }
    const about = data.orderId ?? data.packetId ?? data.saleId ?? ''
    count += 1
    const body = read.ok ? JSON.stringify(JSON.parse(seen.body), null, 2) : seen.body
    tries.push({ ...seen, number: count, at: clock(), type, about, body })
    tries.splice(0, tries.length - maxTries)
  }

  function answerPost(headers: IncomingHttpHeaders, body: string, response: ServerResponse): void {
    const id = String(headers['webhook-id'])
    const isVerified = secret !== undefined && isSigned(secret, headers, body)
    const status = !isVerified ? 401 : behaves === 'hang' ? null : statusOf[behaves]
    keep({ via: 'address', id, isVerified, status, body })
    if (status !== null) response.writeHead(status).end()
  }

  /** Answers like EventBridge, whose call succeeds even if an event is refused. */
  function answerPutEvents(body: Uint8Array, response: ServerResponse): void {
    const read = readJson(putEvents, body)
    if (!read.ok) {
      write(response, 400, { __type: 'ValidationException', message: read.detail })
      return
    }
    const status = behaves === 'hang' ? null : behaves === 'accept' ? 200 : 500
    for (const { Detail } of read.value.Entries) {
      const detail = readJson(busDetail, Buffer.from(Detail))
      keep({ via: 'bus', id: detail.ok ? detail.value.id : '?', isVerified: null, status, body: Detail })
    }
    if (status === null) return
    const isRefused = status !== 200
    const refusal = { ErrorCode: 'InternalFailure', ErrorMessage: 'The receiver page says so.' }
    const Entries = read.value.Entries.map(() => (isRefused ? refusal : { EventId: randomUUID() }))
    write(response, 200, { FailedEntryCount: isRefused ? Entries.length : 0, Entries })
  }

  async function behave(next: ReceiverBehaviour): Promise<void> {
    behaves = next
    if (next === 'accept') await enable()
  }

  return {
    behave,
    tries: () => tries,
    // The address is enabled again after an answer 410.
    async register(url, control) {
      const address = { name: endpointName, body: { url: url + addressPath, enabled: true } }
      const client = await control()
      const saved = await client.saveEventEndpoint(address)
      // A secret is shown only once, so one from kept data was lost with the former process.
      secret = saved.secret ?? (await client.rotateEventSecret({ name: endpointName })).secret ?? undefined
      enable = async () => (await control()).saveEventEndpoint(address)
    },
    async routes(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const file = pathname.slice(receiverPath.length + 1)
      switch (`${request.method} ${pathname}`) {
        case `POST ${addressPath}`:
          answerPost(request.headers, (await readBody(request, bodyLimitBytes)).toString(), response)
          return true
        case `POST ${busPrefix}/`:
          answerPutEvents(await readBody(request, bodyLimitBytes), response)
          return true
        case `PUT ${receiverPath}/behaviour`: {
          const read = readJson(behaviour, await readBody(request, bodyLimitBytes))
          if (read.ok) await behave(read.value)
          write(response, read.ok ? 200 : 400, read.ok ? behaves : { detail: read.detail })
          return true
        }
        case `GET ${receiverPath}/tries`: {
          const after = Number(searchParams.get('after') ?? 0)
          write(response, 200, { behaves, tries: tries.filter(({ number }) => number > after) })
          return true
        }
        case `GET ${receiverPath}`:
          writeText(response, 200, 'text/html', renderReceiver())
          return true
        default: {
          const type = request.method === 'GET' && pathname === `${receiverPath}/${file}` ? files[file] : undefined
          if (type === undefined) return false
          writeText(response, 200, type, readFileSync(join(import.meta.dirname, 'receiver', file), 'utf8'))
          return true
        }
      }
    },
  }
}

function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )
  try {
    new Webhook(secret).verify(body, signed)
    return true
  } catch {
    // The package throws for every post that is not signed with this secret.
    return false
  }
}

function write(response: ServerResponse, status: number, body: unknown): void {
  writeText(response, status, 'application/json', JSON.stringify(body))
}

function writeText(response: ServerResponse, status: number, type: string, text: string): void {
  response
    .writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .end(text)
}

export const workbench = {
  parts: {
    receiver: {
      ...{ title: 'Receiver', note: 'events to a system of your own', path: receiverPath, start: createReceiver },
      environment: (shopUrl) => ({
        ...{ SENDS_EVENTS: 'yes', EVENT_BUS: 'sluice-local' },
        AWS_ENDPOINT_URL_EVENTBRIDGE: shopUrl + busPrefix,
      }),
    },
  },
} satisfies WorkbenchSeam
