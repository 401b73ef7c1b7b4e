/** What a marketer enters about an issuer of customers, and what the API takes of it. */
import { parse, readJson } from '../../../../core/lib/parse.ts'
import {
  type CustomerIssuerInput,
  type CustomerIssuerView,
  customerIssuerInput,
  issuerName,
  keySet,
} from '../../../../core/people/customer-issuer.ts'
import { oneOf } from '../../lib/wire.ts'

const issuerFields = ['name', 'issuer', 'jwksUrl', 'jwks', 'signInUrl'] as const
export type IssuerField = (typeof issuerFields)[number]

export const keySources = ['url', 'paste'] as const
type KeySource = (typeof keySources)[number]

export type IssuerText = Readonly<Record<IssuerField, string>> & { readonly source: KeySource }

export const emptyIssuer: IssuerText = { name: '', issuer: '', jwksUrl: '', jwks: '', signInUrl: '', source: 'url' }

/** Keys that were pasted are not shown again, so they are entered anew. */
export function textOfIssuer({ name, issuer, jwksUrl, signInUrl }: CustomerIssuerView): IssuerText {
  return {
    ...{ name, issuer, jwks: '' },
    jwksUrl: jwksUrl ?? '',
    signInUrl: signInUrl ?? '',
    source: jwksUrl === null ? 'paste' : 'url',
  }
}

type IssuerWords = `customers.wrong.${'name' | 'issuer' | 'jwks' | 'private' | 'address'}`

/** `words` say what is wrong with the input of `field`. */
export type IssuerRead =
  | { ok: true; name: string; input: CustomerIssuerInput }
  | { ok: false; field: IssuerField; words: IssuerWords }

/** A private key is found here, so that it is not sent. */
export function readIssuerText(text: IssuerText): IssuerRead {
  const [issuer, jwksUrl, signInUrl] = [text.issuer.trim(), text.jwksUrl.trim(), text.signInUrl.trim()]
  const name = parse(issuerName, text.name.trim())
  if (!name.ok) return wrong('name')
  const keys = readJson(keySet, text.source === 'url' ? '{"keys":[]}' : text.jwks)
  const input = parse(customerIssuerInput, {
    issuer,
    ...(signInUrl !== '' && { signInUrl }),
    ...(text.source === 'url' ? { jwksUrl } : { jwks: keys.ok ? keys.value : undefined }),
  })
  if (!input.ok) return wrong(issuerFieldAt(input.field, text))
  const isPrivate = input.value.jwks?.keys.some((key) => 'd' in key || 'k' in key) === true
  if (isPrivate) return { ok: false, field: 'jwks', words: 'customers.wrong.private' }
  return { ok: true, name: name.value, input: input.value }
}

const wrong = (field: IssuerField): IssuerRead => ({
  ...{ ok: false, field },
  words: `customers.wrong.${field === 'jwksUrl' || field === 'signInUrl' ? 'address' : field}`,
})

/** The input for the member of the API's input at `path`, such as `jwks.keys.0`. */
export function issuerFieldAt(path: string, { source }: Pick<IssuerText, 'source'>): IssuerField {
  const field = oneOf(issuerFields, path.split('.')[0])
  const keys = source === 'url' ? 'jwksUrl' : 'jwks'
  return field === undefined || field === 'jwksUrl' || field === 'jwks' ? keys : field
}
