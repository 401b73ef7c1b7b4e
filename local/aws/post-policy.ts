/**
 * What S3 checks of a form before it takes a file: the signature of its policy, its time, and that the
 * form keeps every condition
 * (https://docs.aws.amazon.com/AmazonS3/latest/developerguide/sigv4-HTTPPOSTConstructPolicy.html).
 * fauxqs stores the file of any form.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'

const condition = z.union([
  z.tuple([z.literal('content-length-range'), z.number(), z.number()]),
  z.tuple([z.enum(['eq', 'starts-with']), z.string(), z.string()]),
  z.record(z.string(), z.string()),
])
const policy = z.object({ expiration: z.string(), conditions: z.array(condition) })

type Condition = z.infer<typeof condition>

/** A form as it came: its fields by their names in lower case, and the size of its file. */
export type PostedForm = { fields: ReadonlyMap<string, string>; fileBytes: number }

/** Why S3 refuses a form, by the code of its error. */
export type PostRefusal = 'AccessDenied' | 'SignatureDoesNotMatch' | 'EntityTooLarge' | 'EntityTooSmall'

/** Fields that no condition has to name. */
const exempt = /^(?:policy|x-amz-signature|file|x-ignore-.*)$/

/** The form in a body of `multipart/form-data`; a file is its last field. */
export async function readForm(contentType: string, body: Uint8Array): Promise<PostedForm> {
  const data = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData()
  const fields = new Map<string, string>()
  let fileBytes = 0
  for (const [name, value] of data) {
    if (typeof value === 'string') fields.set(name.toLowerCase(), value)
    else fileBytes = value.size
  }
  return { fields, fileBytes }
}

/** Undefined when S3 takes the form; `now` is epoch ms. */
export function refusalOf(form: PostedForm, secret: string, now: number): PostRefusal | undefined {
  const encoded = form.fields.get('policy')
  if (encoded === undefined) return 'AccessDenied'
  if (!isSigned(form, encoded, secret)) return 'SignatureDoesNotMatch'
  const read = readJson(policy, Buffer.from(encoded, 'base64').toString('utf8'))
  if (!read.ok || Date.parse(read.value.expiration) <= now) return 'AccessDenied'
  const { conditions } = read.value
  const unnamed = [...form.fields.keys()].filter((name) => !exempt.test(name))
  const named = new Set(conditions.flatMap(namesIn))
  if (unnamed.some((name) => !named.has(name))) return 'AccessDenied'
  for (const one of conditions) {
    const refused = refusalBy(one, form)
    if (refused !== undefined) return refused
  }
  return undefined
}

function isSigned({ fields }: PostedForm, encoded: string, secret: string): boolean {
  const [, day = '', region = '', service = '', end = ''] = (fields.get('x-amz-credential') ?? '').split('/')
  const key = [day, region, service, end].reduce<string | Buffer>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${secret}`,
  )
  const wanted = createHmac('sha256', key).update(encoded).digest()
  const given = Buffer.from(fields.get('x-amz-signature') ?? '', 'hex')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Names of fields in conditions have a dollar sign in a list, and none in an object. */
function namesIn(one: Condition): string[] {
  if (!Array.isArray(one)) return Object.keys(one).map((name) => name.toLowerCase())
  return one[0] === 'content-length-range' ? [] : [one[1].replace(/^\$/, '').toLowerCase()]
}

function refusalBy(one: Condition, { fields, fileBytes }: PostedForm): PostRefusal | undefined {
  if (!Array.isArray(one)) {
    const isKept = Object.entries(one).every(([name, value]) => fields.get(name.toLowerCase()) === value)
    return isKept ? undefined : 'AccessDenied'
  }
  if (one[0] === 'content-length-range') {
    if (fileBytes > one[2]) return 'EntityTooLarge'
    return fileBytes < one[1] ? 'EntityTooSmall' : undefined
  }
  const value = fields.get(one[1].replace(/^\$/, '').toLowerCase()) ?? ''
  const isKept = one[0] === 'eq' ? value === one[2] : value.startsWith(one[2])
  return isKept ? undefined : 'AccessDenied'
}
