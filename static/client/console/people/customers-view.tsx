/** Who signs tokens for the shop's own customers: the list, the form of an issuer, and what the API takes of what is entered. */
import { useState } from 'preact/hooks'
import { parse, readJson } from '../../../../core/lib/parse.ts'
import {
  type CustomerIssuerInput,
  type CustomerIssuerView,
  customerIssuerInput,
  issuerName,
  keySet,
} from '../../../../core/people/customer-issuer.ts'
import { oneOf } from '../../lib/wire.ts'
import { control, type Refused } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { useEntryForm } from '../lib/entry-form.ts'
import { FactsList } from '../lib/facts-list.tsx'
import { Form, focusField, SelectField, TextArea, TextField, verbatim } from '../lib/field.tsx'
import { NamedList, useNamedList } from '../lib/named-list.tsx'
import { PlainButton, useOneAtATime, WorkButton } from '../lib/work-button.tsx'
import { failureText, useView } from '../view.ts'

export function CustomerIssuers() {
  const { voice, may, keep } = useView()
  const { entries: issuers, look, change } = useNamedList(control.listCustomerIssuers, (read) => read.issuers)
  const [first, setFirst] = useState(emptyIssuer)
  const [text, setText] = useState(first)
  const mayChange = may('saveCustomerIssuer')

  function begin(next: IssuerText): void {
    setFirst(next)
    setText(next)
    focusField(`customers.${next.name === '' ? 'name' : 'issuer'}`)
  }

  function remove(name: string) {
    const asked = {
      title: voice.t('customers.removeAsk', { name }),
      effects: [voice.t('customers.effect.remove')],
      choice: { value: 'remove', label: voice.t('customers.remove'), kind: 'danger' },
    } as const
    const said = voice.t('customers.removed', { name })
    return change(() => control.deleteCustomerIssuer({ name }), { asked, said, next: 'customers.name' })
  }

  keep(() => JSON.stringify(text) !== JSON.stringify(first))
  return (
    <NamedList
      id="issuers"
      title={voice.t('console.customers')}
      text={voice.t('customers.text')}
      empty={voice.t('customers.empty')}
      entries={issuers}
      form={
        mayChange && (
          <IssuerForm
            text={text}
            enter={setText}
            isKnown={issuers?.some(({ name }) => name === text.name.trim()) === true}
            saved={async () => {
              begin(emptyIssuer)
              await look()
            }}
          />
        )
      }
    >
      {(all) =>
        all.map((issuer) => (
          <Issuer
            key={issuer.name}
            issuer={issuer}
            change={mayChange ? () => begin(textOfIssuer(issuer)) : undefined}
            remove={() => remove(issuer.name)}
          />
        ))
      }
    </NamedList>
  )
}

type IssuerProps = { issuer: CustomerIssuerView; change: (() => void) | undefined; remove(): Promise<unknown> }

/** `change` is undefined for someone who may only look. */
function Issuer({ issuer, change, remove }: IssuerProps) {
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
      {change !== undefined && (
        <p class="actions">
          <PlainButton aria-label={voice.t('customers.changeOf', { name })} data-change={name} onClick={change}>
            {voice.t('customers.change')}
          </PlainButton>
          <WorkButton
            look="danger"
            aria-label={voice.t('customers.removeOf', { name })}
            data-remove={name}
            work={remove}
          >
            {voice.t('customers.remove')}
          </WorkButton>
        </p>
      )}
    </section>
  )
}

type FormProps = { text: IssuerText; enter(text: IssuerText): void; isKnown: boolean; saved(): Promise<void> }

function IssuerForm({ text, enter, isKnown, saved }: FormProps) {
  const { voice, announce, isLeft } = useView()
  const words = (name: IssuerField) => ({
    label: voice.t(`customers.${name}`),
    hint: voice.t(`customers.hint.${name}`),
  })
  const { complain, input } = useEntryForm('customers.', words, text, enter)

  const [send] = useOneAtATime(async () => {
    const read = readIssuerText(text)
    if (!read.ok) return complain(read.field, voice.t(read.words))
    const { name, input } = read
    const title = voice.t('customers.saveAsk', { issuer: input.issuer })
    const effects = [
      voice.t('customers.effect.keys'),
      ...(input.signInUrl === undefined ? [] : [voice.t('customers.effect.signIn', { address: input.signInUrl })]),
      ...(isKnown ? [voice.t('customers.replaces', { name })] : []),
    ]
    const choice = { value: 'save', label: voice.t('customers.save'), kind: 'main' } as const
    if (!(await askBefore(voice, { title, effects, choice }))) return
    announce(voice.t('do.working'))
    const answer = await control.saveCustomerIssuer({ name, body: input })
    if (isLeft()) return
    if (!answer.ok) return refuse(answer.reply)
    announce(voice.t('customers.saved', { name }))
    await saved()
  })

  /** A refusal that is about a field is said there. */
  function refuse(reply: Refused): void {
    const { problem } = reply
    if (problem?.field === undefined) return announce(failureText(voice, reply))
    const field = issuerFieldAt(problem.field, text)
    const isAboutKeys = problem.code === 'invalid-request' && (field === 'jwksUrl' || field === 'jwks')
    complain(field, isAboutKeys ? voice.t('customers.unusable', { why: problem.detail }) : failureText(voice, reply))
  }

  return (
    <Form class="form" id="issuer-form" submit={send}>
      <TextField {...input('name')} {...verbatim} maxlength={16} />
      <TextField {...input('issuer')} {...verbatim} maxlength={255} />
      <SelectField
        field={{ name: 'customers.source', label: voice.t('customers.source') }}
        options={keySources.map((one) => [one, voice.t(`customers.source.${one}`)])}
        value={text.source}
        enter={(chosen) => enter({ ...text, source: keySources.find((one) => one === chosen) ?? 'url' })}
      />
      <TextField {...input('jwksUrl', text.source !== 'url')} {...verbatim} maxlength={1000} inputMode="url" />
      <TextArea {...input('jwks', text.source !== 'paste')} {...verbatim} rows={6} />
      <TextField {...input('signInUrl')} {...verbatim} maxlength={1000} inputMode="url" />
      <p id="issuer-news" role="status">
        {isKnown && voice.t('customers.replaces', { name: text.name.trim() })}
      </p>
      <button type="submit" class="button" id="issuer-save">
        {voice.t('customers.save')}
      </button>
    </Form>
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
