/**
 * The one call of Amazon SES that the shop makes, SendEmail of the API v2, with the limits that a caller can
 * run into. What the SDK does not send is refused.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'

export const sendEmailPath = '/v2/email/outbound-emails'

const text = z.strictObject({ Data: z.string().check(z.minLength(1)), Charset: z.literal('UTF-8') })
const address = z.string().check(z.regex(/^(?:[^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/))

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html */
const header = z.strictObject({
  Name: z.string().check(z.regex(/^[!-9;-~]{1,126}$/)),
  Value: z.string().check(z.regex(/^[ -~]{1,870}$/)),
})

const sendEmail = z.strictObject({
  FromEmailAddress: address,
  ReplyToAddresses: z.optional(z.array(address)),
  Destination: z.strictObject({ ToAddresses: z.array(address).check(z.minLength(1), z.maxLength(50)) }),
  ConfigurationSetName: z.optional(z.string()),
  Content: z.strictObject({
    Simple: z.strictObject({
      // SES refuses a subject with a line break.
      Subject: z.strictObject({ Data: z.string().check(z.regex(/^[^\r\n]+$/)), Charset: z.literal('UTF-8') }),
      Body: z.strictObject({ Text: text, Html: text }),
      Headers: z.optional(z.array(header).check(z.maxLength(15))),
    }),
  }),
})

/** `at` is epoch ms. */
export type SentEmail = {
  id: string
  at: number
  from: string
  to: readonly string[]
  subject: string
  text: string
  html: string
  headers: readonly { name: string; value: string }[]
}

export type SesAnswer = { status: number; headers: Record<string, string>; body: object }

/** The answer to the body of one request; `keep` gets the e-mail that it sends. */
export function answerSendEmail(body: Uint8Array, now: number, keep: (mail: SentEmail) => void): SesAnswer {
  const read = readJson(sendEmail, body)
  if (!read.ok) {
    return {
      status: 400,
      headers: { 'x-amzn-errortype': 'BadRequestException' },
      body: { message: read.detail },
    }
  }
  const { FromEmailAddress, Destination, Content } = read.value
  const { Subject, Body, Headers = [] } = Content.Simple
  const id = randomUUID()
  keep({
    id,
    at: now,
    from: FromEmailAddress,
    to: Destination.ToAddresses,
    subject: Subject.Data,
    text: Body.Text.Data,
    html: Body.Html.Data,
    headers: Headers.map(({ Name: name, Value: value }) => ({ name, value })),
  })
  return { status: 200, headers: {}, body: { MessageId: id } }
}
