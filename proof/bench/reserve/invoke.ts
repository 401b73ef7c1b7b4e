/** Calls a handler one event at a time, and reports the processor time of this process for each. */
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import { read } from '../read.ts'
import { type ClickEvent, type InvokedClicks, wanted } from './invoked.ts'

const [file = '', saleId = '', startToken = ''] = process.argv.slice(2)
const { handler }: { handler: (event: ClickEvent) => Promise<unknown> } = await import(pathToFileURL(file).href)

const answer = z.object({ statusCode: z.literal(202) })

let shoppers = 0

/** A click of a new shopper, as the gate and CloudFront forward it. */
function click(): ClickEvent {
  shoppers += 1
  const body = JSON.stringify({ quantity: 1, startToken })
  return {
    rawPath: `/api/sales/${saleId}/orders`,
    rawQueryString: '',
    headers: {
      host: 'abcdefghijklmnopqrstuvwxyz012345.lambda-url.us-east-1.on.aws',
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-amz-cf-id': 'LEEn1hX7wH5r9Yc2QkqMZ1r2YcQ4m7oPjv0b3xT6uSgWd8fKkA==',
      via: '2.0 0123456789abcdef.cloudfront.net (CloudFront)',
      'idempotency-key': `click-of-${shoppers}`,
      origin: 'https://shop.example',
      referer: `https://shop.example/sales/${saleId}/`,
      'x-shopper-id': `shopper-${process.pid}-${shoppers}`,
      'x-shopper-level': '0',
      'x-shopper-roles': '',
      'x-admission': String(Math.floor(Date.now() / 1000)),
      'x-request-id': `request-${process.pid}-${shoppers}`,
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    body,
    isBase64Encoded: false,
    requestContext: { http: { method: 'POST' } },
  }
}

process.on('message', async (message) => {
  const { orders } = read(wanted, message)
  const events = Array.from({ length: orders }, click)
  const before = process.cpuUsage()
  for (const event of events) read(answer, await handler(event))
  const { user, system } = process.cpuUsage(before)
  process.send?.({ us: (user + system) / orders } satisfies InvokedClicks)
})
