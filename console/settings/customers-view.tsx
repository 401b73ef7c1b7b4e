/** Who signs tokens for the shop's own customers: the list, the form of an issuer, and what the API takes of what is entered. */
import type { ComponentChildren } from 'preact'
import { parse, readJson } from '../../core/lib/parse.ts'
import {
  type CustomerIssuerInput,
  type CustomerIssuerView,
  customerIssuerInput,
  issuerName,
  keySet,
} from '../../core/people/customer-issuer.ts'
import { oneOf } from '../../web/wire.ts'
import { control } from '../api.ts'
import { FactsList } from '../parts/facts-list.tsx'
import { SelectField, TextArea, TextField, verbatim } from '../parts/field.tsx'
import { type EntryRead, NamedList, useNamedEntries } from '../parts/named-list.tsx'
import { failureText, useView } from '../view.ts'

export function CustomerIssuers() {
  const { voice, may } = useView()
  const mayChange = may('saveCustomerIssuer')
  const list = useNamedEntries({
    ...{ list: 'customers', id: 'issuer', nothing: emptyIssuer, read: readIssuerText },
    ...{ all: control.listCustomerIssuers, save: control.saveCustomerIssuer, remove: control.deleteCustomerIssuer },
    entriesOf: (read) => read.issuers,
    words: (field: IssuerField) => ({ label: voice.t(`customers.${field}`), hint: voice.t(`customers.hint.${field}`) }),
    askToSave(name, { issuer, signInUrl }, isKnown) {
      const effects = [
        voice.t('customers.effect.keys'),
        ...(signInUrl === undefined ? [] : [voice.t('customers.effect.signIn', { address: signInUrl })]),
        ...(isKnown ? [voice.t('customers.replaces', { name })] : []),
      ]
      const choice = { value: 'save', label: voice.t('customers.save'), kind: 'main' } as const
      return { title: voice.t('customers.saveAsk', { issuer }), effects, choice }
    },
    fault(reply, texts) {
      const { problem } = reply
      if (problem?.field === undefined) return undefined
      const field = issuerFieldAt(problem.field, texts)
      const isAboutKeys = problem.code === 'invalid-request' && (field === 'jwksUrl' || field === 'jwks')
      return [field, isAboutKeys ? voice.t('customers.unusable', { why: problem.detail }) : failureText(voice, reply)]
    },
  })
  const { texts, enter, input } = list
  const fields = (
    <>
      <TextField {...input('name')} {...verbatim} maxlength={16} />
      <TextField {...input('issuer')} {...verbatim} maxlength={255} />
      <SelectField
        field={{ name: 'customers.source', label: voice.t('customers.source') }}
        options={keySources.map((one) => [one, voice.t(`customers.source.${one}`)])}
        value={texts.source}
        enter={(chosen) => enter({ ...texts, source: keySources.find((one) => one === chosen) ?? 'url' })}
      />
      <TextField {...input('jwksUrl', texts.source !== 'url')} {...verbatim} maxlength={1000} inputMode="url" />
      <TextArea {...input('jwks', texts.source !== 'paste')} {...verbatim} rows={6} />
      <TextField {...input('signInUrl')} {...verbatim} maxlength={1000} inputMode="url" />
      <p id="issuer-news" role="status">
        {list.isKnown && voice.t('customers.replaces', { name: texts.name.trim() })}
      </p>
    </>
  )
  return (
    <NamedList {...list.page} title={voice.t('console.customers')} form={mayChange && list.form(fields)}>
      {(all) =>
        all.map((issuer) => (
          <Issuer key={issuer.name} issuer={issuer}>
            {mayChange && (
              <p class="actions">
                {list.changeButton(issuer.name, () => list.begin(textOfIssuer(issuer), 'issuer'))}
                {list.removeButton(issuer.name)}
              </p>
            )}
          </Issuer>
        ))
      }
    </NamedList>
  )
}

function Issuer({ issuer, children }: { issuer: CustomerIssuerView; children: ComponentChildren }) {
  const { voice } = useView()
  const { name, signInUrl, jwksUrl, keys, savedAt, checkedAt, failure, failedSince } = issuer
  const facts = [
    [voice.t('customers.issuer'), issuer.issuer],
    [voice.t('customers.ids'), `customer:${name}|…`],
    [voice.t('customers.signInPage'), signInUrl ?? voice.t('customers.signInHere')],
    [voice.t('customers.source'), jwksUrl ?? voice.t('customers.source.paste')],
    [
      voice.t('customers.keys'),
      <ul class="changes">
        {keys.map(({ id, kid, alg, until }) => (
          <li key={id}>
            {[alg, ...(kid === null ? [] : [kid])].join(' · ')}
            {until !== null && ` · ${voice.t('customers.until', { time: voice.moment(until) })}`}
            {' · '}
            <code>{id}</code>
          </li>
        ))}
      </ul>,
    ],
    [voice.t('customers.savedAt'), voice.farMoment(savedAt)],
    ...(checkedAt === null ? [] : [[voice.t('customers.checkedAt'), voice.farMoment(checkedAt)] as const]),
    [voice.t('customers.refused'), <RefusedTokens key="refused" refused={issuer.refused} />],
  ] as const
  return (
    <section class="panel issuer" data-issuer={name} aria-labelledby={`issuer-${name}`}>
      <h2 id={`issuer-${name}`}>{name}</h2>
      <FactsList rows={facts} />
      {failure !== null && (
        <p class="notice">
          {voice.t('customers.failing', { time: voice.moment(failedSince ?? savedAt), why: failure })}
        </p>
      )}
      {children}
    </section>
  )
}

/** Shows the tokens that the gate refused in the last day, and why, such as a wrong clock. */
function RefusedTokens({ refused }: Pick<CustomerIssuerView, 'refused'>) {
  const { voice } = useView()
  if (refused === null || refused.length === 0)
    return voice.t(refused === null ? 'customers.refused.unknown' : 'customers.refused.none')
  return (
    <ul class="changes">
      {refused.map(({ reason, count, lastAt }) => (
        <li key={reason}>
          {voice.t(`customers.refused.${reason}`, { count })}
          {' · '}
          {voice.t('customers.refused.last', { time: voice.shortMoment(lastAt) })}
        </li>
      ))}
    </ul>
  )
}

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

export type IssuerRead = EntryRead<IssuerField, CustomerIssuerInput>

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
